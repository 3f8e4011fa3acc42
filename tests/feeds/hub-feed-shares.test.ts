import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allPages, type Client, expectOk, idsOf, type Json, newestFirst } from '../support/client.ts';
import { ACTIVITIES } from '../support/feeds.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave } from '../support/hubs.ts';
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

/** The two paths of a Hub feed. */
const PATHS = {
  '/hubs/{hubId}/feed': (viewer: Client, { id }: Hub, query: object = {}) =>
    allPages(viewer, `/hubs/${id}/feed`, query),
  '/posts?hubId=': (viewer: Client, { id }: Hub, query: object = {}) =>
    allPages(viewer, '/posts', { hubId: id, ...query }),
};

describe.each(Object.entries(PATHS))('the feed of a Hub at %s', (_, feedPages) => {
  const cards = async (viewer: Client, of: Hub) => (await feedPages(viewer, of)).flat();
  const feed = async (viewer: Client, of: Hub) => idsOf(await cards(viewer, of));

  test('members see each shared post at the time of its share', async () => {
    const open = await aThought(unrelated);
    const first = await aHubPost(amara, [hub]);
    const own = await aThought(jonas);
    await shareToHubs(jonas, open, hub);
    const second = await aHubPost(jonas, [hub]);
    await shareToHubs(jonas, own, hub);
    for (const viewer of [amara, jonas]) {
      expect(await feed(viewer, hub)).toEqual([own.id, second.id, open.id, first.id]);
    }
  });

  test('feedContext tells shared posts from posts targeted at the Hub', async () => {
    const next = await aHub(amara);
    const targeted = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const shareable = await aHubPost(amara, [next, await aHub(amara)]);
    const open = await aThought(amara);
    for (const post of [shareable, open]) await shareToHubs(amara, post, hub);
    await shareToHubs(amara, targeted, next);
    const contexts = async (of: Hub) =>
      (await cards(amara, of)).map(({ id, feedContext }) => [id, feedContext]);
    expect(await contexts(hub)).toEqual([
      [open.id, 'shared_to_hub'],
      [shareable.id, 'shared_to_hub'],
      [targeted.id, 'joined_hub_post'],
    ]);
    expect(await contexts(next)).toEqual([
      [targeted.id, 'shared_to_hub'],
      [shareable.id, 'joined_hub_post'],
    ]);
  });

  test('the card of a shared post is the card of the post', async () => {
    const post = await aThought(unrelated);
    await shareToHubs(jonas, post, hub);
    const { permissions: _, ...card } = await seenBy(amara, post);
    expect(card.hubs).toMatchObject([{ id: hub.id }]);
    expect(await cards(amara, hub)).toEqual([{ ...card, feedContext: 'shared_to_hub' }]);
  });

  test('a post moves to the top when another member shares it again, and stays when its last sharer does', async () => {
    const targeted = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const post = await aThought(unrelated);
    await shareToHubs(jonas, post, hub);
    const newest = await aHubPost(jonas, [hub]);
    for (const [person, each] of [
      [amara, targeted],
      [jonas, post],
    ] as const)
      await shareToHubs(person, each, hub);
    expect(await feed(amara, hub)).toEqual([newest.id, post.id, targeted.id]);
    await shareToHubs(jonas, targeted, hub);
    expect(await feed(amara, hub)).toEqual([targeted.id, newest.id, post.id]);
    await shareToHubs(amara, post, hub);
    expect(await feed(amara, hub)).toEqual([post.id, targeted.id, newest.id]);
    await shareToHubs(amara, post, hub);
    await shareToHubs(jonas, targeted, hub);
    expect(await feed(amara, hub)).toEqual([post.id, targeted.id, newest.id]);
    expect((await cards(amara, hub)).map(({ feedContext }) => feedContext)).toEqual([
      'shared_to_hub',
      'joined_hub_post',
      'joined_hub_post',
    ]);
  });

  test.each(Object.entries(ACTIVITIES))('the feed does not change when a member %s', async (_, perform) => {
    const posts = [await aSlider(unrelated), await aSlider(unrelated)];
    for (const post of posts) await shareToHubs(jonas, post, hub);
    await perform(amara, posts[0]);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('a repost targeted at or shared into the Hub is a frame of its own', async () => {
    const source = await aThought(unrelated);
    const hubIds = [hub.id];
    const targeted = await aRepost(jonas, source, { visibility: 'private_locked_hub', hubIds });
    const open = await aRepost(unrelated, source);
    await shareToHubs(amara, open, hub);
    const shown = await cards(amara, hub);
    expect(shown).toMatchObject([
      { id: open.id, feedContext: 'shared_to_hub', sourcePostId: source.id },
      { id: targeted.id, feedContext: 'joined_hub_post', sourcePostId: source.id },
    ]);
  });

  test('the feed omits posts shared into other Hubs only', async () => {
    const next = await aHub(jonas);
    await shareToHubs(jonas, await aThought(unrelated), next);
    expect(await feed(jonas, hub)).toEqual([]);
    expect(await feed(jonas, next)).toHaveLength(1);
  });

  test('the feed keeps posts whose sharer left the Hub or deleted their account', async () => {
    const posts = [await aThought(unrelated), await aThought(unrelated)];
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await shareToHubs(jonas, posts[0], hub);
    await shareToHubs(noor, posts[1], hub);
    await expectOk(requestLeave(jonas, hub));
    await expectOk(noor.delete('/users/me'));
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
    await waitUntilDeleted(opine, noor.id);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('the feed omits deleted posts and posts of deleted accounts', async () => {
    const [gone, kept, ended] = [await aThought(unrelated), await aThought(amara), await aThought(jonas)];
    for (const post of [gone, kept, ended]) await shareToHubs(jonas, post, hub);
    await expectOk(unrelated.delete(`/posts/${gone.id}`));
    expect(await feed(amara, hub)).toEqual([ended.id, kept.id]);
    await expectOk(jonas.delete('/users/me'));
    expect(await feed(amara, hub)).toEqual([kept.id]);
  });

  test('a shared post is hidden from a member whom its author blocks', async () => {
    const post = await aThought(unrelated);
    await shareToHubs(jonas, post, hub);
    await block(unrelated, amara);
    expect([await feed(amara, hub), await feed(jonas, hub)]).toEqual([[], [post.id]]);
    await unblock(unrelated, amara);
    expect(await feed(amara, hub)).toEqual([post.id]);
  });

  test('a post shared by a blocker stays visible to the blocked member', async () => {
    const post = await aThought(unrelated);
    await shareToHubs(jonas, post, hub);
    await block(jonas, amara);
    expect(await feed(amara, hub)).toEqual([post.id]);
  });

  test('members see a private post shared onward until they leave', async () => {
    const hubOfJonas = await aHub(jonas);
    const locked = await aHubPost(jonas, [hubOfJonas, await aHub(jonas)]);
    expect((await amara.get(`/posts/${locked.id}`)).status).toBe(404);
    await shareToHubs(jonas, locked, hub);
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    for (const viewer of [amara, noor]) expect(await feed(viewer, hub)).toEqual([locked.id]);
    await expectOk(requestLeave(noor, hub));
    expect((await noor.get(`/posts/${locked.id}`)).status).toBe(404);
    await join(amara, hub, [noor]);
    expect(await feed(noor, hub)).toEqual([locked.id]);
  });

  test('pages return targeted and shared posts once each', async () => {
    const placed: Json[] = [];
    for (let index = 0; index < 9; index += 1) {
      if (index % 2 === 0) placed.push(await aHubPost(jonas, [hub]));
      else {
        const post = await aThought(unrelated);
        await shareToHubs(jonas, post, hub);
        placed.push(post);
      }
    }
    for (const limit of [1, 2, 3, 4, 5, 8, 9, 50]) {
      const pages = await feedPages(amara, hub, { limit });
      expect(pages.flatMap(idsOf)).toEqual(newestFirst(placed));
      expect(pages).toHaveLength(Math.ceil(9 / limit));
    }
  });
});
