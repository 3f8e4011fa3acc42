import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  expectOk,
  idsOf,
  type Json,
  NONEXISTENT,
  newestFirst,
  refusal,
  withQuery,
} from '../support/client.ts';
import { ACTIVITIES } from '../support/feeds.ts';
import { block } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { hubReadyPerson, type Person } from '../support/people.ts';
import { aRepost, aSlider, aThought, seenBy, shareToHubs } from '../support/posts.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let unrelated: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, unrelated] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Unrelated')];
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas');
});

/** Returns the card of `post` in a Hub feed. */
async function cardIn(viewer: Client, post: Json, feedContext: string): Promise<Json> {
  const { permissions: _, ...card } = await seenBy(viewer, post);
  return { ...card, feedContext };
}

/** The two paths of a Hub feed, each with the query that selects the Hub. */
const PATHS = {
  '/hubs/{hubId}/feed': (id: string): [string, object] => [`/hubs/${id}/feed`, {}],
  '/posts?hubId=': (id: string): [string, object] => ['/posts', { hubId: id }],
};

// docs/product.md F11
test.each(Object.entries(PATHS))('%s lists cards of targets and shares of any member', async (_, locate) => {
  const own = await aThought(unrelated);
  const targeted = await aHubPost(jonas, [hub], { visibility: 'public_hub' });
  await aHubPost(jonas, [await aHub(jonas)], { visibility: 'public_hub' });
  await shareToHubs(jonas, own, hub);
  const inside = await aHubPost(amara, [hub]);
  const [path, query] = locate(hub.id);
  for (const viewer of [amara, jonas]) {
    const cards = [
      await cardIn(viewer, inside, 'joined_hub_post'),
      await cardIn(viewer, own, 'shared_to_hub'),
      await cardIn(viewer, targeted, 'joined_hub_post'),
    ];
    for (const limit of [1, 2, 50]) {
      const pages = await allPages(viewer, path, { ...query, limit });
      expect(pages.flat()).toEqual(cards);
      expect(pages).toHaveLength(Math.ceil(3 / limit));
    }
  }
  expect(await unrelated.get(withQuery(path, query))).toMatchObject(refusal(403, 'FORBIDDEN'));
});

test('both paths of a closed or unknown Hub answer 404', async () => {
  const closed = await aHub(amara);
  await expectOk(requestLeave(amara, closed));
  for (const hubId of [closed.id, NONEXISTENT.id]) {
    expect(await amara.get(`/hubs/${hubId}/feed`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
    expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
  }
});

describe('posts shared into a Hub', () => {
  const cards = async () => (await allPages(amara, `/hubs/${hub.id}/feed`)).flat();
  const feed = async () => idsOf(await cards());

  // docs/product.md PO22
  test('a post moves to the top when another member shares it again, and stays when its last sharer does', async () => {
    const targeted = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const post = await aThought(unrelated);
    await shareToHubs(jonas, post, hub);
    const newest = await aHubPost(jonas, [hub]);
    await shareToHubs(amara, targeted, hub);
    await shareToHubs(jonas, post, hub);
    expect(await feed()).toEqual([newest.id, post.id, targeted.id]);
    await shareToHubs(jonas, targeted, hub);
    await shareToHubs(amara, post, hub);
    for (const sharer of [amara, jonas]) {
      expect(await feed()).toEqual([post.id, targeted.id, newest.id]);
      await shareToHubs(sharer, sharer === amara ? post : targeted, hub);
    }
    expect(await feed()).toEqual([post.id, targeted.id, newest.id]);
  });

  test('the feed does not change with activity of a member, except that a repost in the Hub is a frame', async () => {
    const posts = [await aSlider(unrelated), await aSlider(unrelated)];
    for (const post of posts) await shareToHubs(jonas, post, hub);
    for (const perform of Object.values(ACTIVITIES)) await perform(amara, posts[0]);
    expect(await feed()).toEqual(newestFirst(posts));
    const [{ id }] = posts as [Json];
    const targeted = await aRepost(jonas, { id }, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    expect((await cards())[0]).toMatchObject({ id: targeted.id, sourcePostId: id });
  });

  // docs/product.md P20
  test('the feed keeps posts whose sharer left, blocks the viewer or deleted their account', async () => {
    const posts = [await aThought(unrelated), await aThought(unrelated), await aThought(unrelated)];
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    const ines = await aMemberOf(opine, amara, hub, 'Ines');
    for (const [index, sharer] of [jonas, noor, ines].entries())
      await shareToHubs(sharer, posts[index] ?? {}, hub);
    await expectOk(requestLeave(jonas, hub));
    await block(noor, amara);
    await expectOk(ines.delete('/users/me'));
    expect(await feed()).toEqual(newestFirst(posts));
    await waitUntilDeleted(opine, ines.id);
    expect(await feed()).toEqual(newestFirst(posts));
  });

  test('the feed omits deleted posts and posts of deleted accounts', async () => {
    const [gone, kept, ended] = [await aThought(unrelated), await aThought(amara), await aThought(jonas)];
    for (const post of [gone, kept, ended]) await shareToHubs(jonas, post, hub);
    await expectOk(unrelated.delete(`/posts/${gone.id}`));
    expect(await feed()).toEqual([ended.id, kept.id]);
    await expectOk(jonas.delete('/users/me'));
    expect(await feed()).toEqual([kept.id]);
  });
});
