import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  newestFirst,
  refusal,
  withQuery,
} from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { ACTIVITIES } from '../support/feeds.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson, type Person, personOfLevel } from '../support/people.ts';
import { aRepost, aSlider, aThought, seenBy, shareToHubs } from '../support/posts.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const FORBIDDEN = refusal(403, 'FORBIDDEN');

/** The two paths of a Hub feed, each with the query that selects the Hub. */
const PATHS = {
  '/hubs/{hubId}/feed': ({ id }: Hub): [string, object] => [`/hubs/${id}/feed`, {}],
  '/posts?hubId=': ({ id }: Hub): [string, object] => ['/posts', { hubId: id }],
};

describe.each(Object.entries(PATHS))('the feed of a Hub at %s', (_, locate) => {
  const feedPages = (viewer: Client, hub: Hub, query: object = {}) => {
    const [path, hubQuery] = locate(hub);
    return allPages(viewer, path, { ...hubQuery, ...query });
  };
  const feed = async (viewer: Client, hub: Hub) => idsOf((await feedPages(viewer, hub)).flat());
  const requestFeed = (viewer: Client, hub: Hub, query: object = {}) => {
    const [path, hubQuery] = locate(hub);
    return viewer.get(withQuery(path, { ...hubQuery, ...query }));
  };

  /** Creates a circle and `count` posts, of Amara and Jonas in turn. Returns the posts oldest first. */
  async function aBusyCircle(count: number): Promise<HubOfTwo & { posts: Json[] }> {
    const circle = await aHubOfTwo(opine);
    const posts: Json[] = [];
    for (let index = 0; index < count; index += 1) {
      posts.push(await aHubPost(index % 2 === 0 ? circle.amara : circle.jonas, [circle.hub]));
    }
    return { ...circle, posts };
  }

  test('the feed lists the posts that any member placed in the Hub, newest first', async () => {
    const { hub, amara, jonas } = await aHubOfTwo(opine);
    const other = await aHub(jonas);
    const byAmara = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const both = await aHubPost(jonas, [other, hub]);
    const elsewhere = await aHubPost(jonas, [other], { visibility: 'public_hub' });
    await aThought(amara);
    for (const viewer of [amara, jonas]) expect(await feed(viewer, hub)).toEqual([both.id, byAmara.id]);
    expect(await feed(jonas, other)).toEqual([elsewhere.id, both.id]);
  });

  test('each card is the card of the post with feedContext joined_hub_post', async () => {
    const { hub, amara, posts } = await aBusyCircle(2);
    const [cards] = await feedPages(amara, hub);
    for (const [index, post] of posts.toReversed().entries()) {
      const { permissions: _, ...card } = await seenBy(amara, post);
      expect(cards?.[index]).toEqual({ ...card, feedContext: 'joined_hub_post' });
    }
  });

  test('pages of every size return each post once', async () => {
    const { hub, jonas, posts } = await aBusyCircle(5);
    for (const limit of [1, 2, 3, 4, 5, 6, 50]) {
      const pages = await feedPages(jonas, hub, { limit });
      expect(pages.flatMap(idsOf)).toEqual(newestFirst(posts));
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test('posts across a block are left out without shortening a page', async () => {
    const { hub, amara, jonas, posts } = await aBusyCircle(10);
    const lena = await aMemberOf(opine, amara, hub, 'Lena');
    const of = ({ id }: { id: string }) => newestFirst(posts.filter(({ author }) => author.id === id));
    await block(amara, jonas);
    for (const [viewer, author] of [
      [amara, amara],
      [jonas, jonas],
    ] as const) {
      const pages = await feedPages(viewer, hub, { limit: 2 });
      expect(pages.flatMap(idsOf)).toEqual(of(author));
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    }
    expect(await feed(lena, hub)).toEqual(newestFirst(posts));
    await unblock(amara, jonas);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('a page has 20 posts by default and 50 at most', async () => {
    const { hub, amara } = await aHubOfTwo(opine);
    await Promise.all(Array.from({ length: 51 }, () => aHubPost(amara, [hub])));
    const sizes = async (query: object) => (await feedPages(amara, hub, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5', '99999999999999999999']],
    ['cursor', ['', 'abc', 'null', 'e30', 'eyJ0IjoxfQ', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)]],
  ])('an invalid %s answers 422', async (name, values) => {
    const { hub, amara } = await aHubOfTwo(opine);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] });
    for (const value of values) {
      expect([value, await requestFeed(amara, hub, { [name]: value })]).toMatchObject([value, refused]);
    }
  });

  test('members of every role read the feed, and non-members and lower levels get 403', async () => {
    const { hub, amara, posts } = await aBusyCircle(2);
    const manager = await aMemberOf(opine, amara, hub, 'Lena', 'manager');
    const admin = await aMemberOf(opine, amara, hub, 'Noor', 'admin');
    for (const member of [manager, admin]) expect(await feed(member, hub)).toEqual(newestFirst(posts));
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of nonMembers.values())
      expect(await requestFeed(nonMember, hub)).toMatchObject(FORBIDDEN);
    for (const level of [1, 2, 3]) {
      expect(await requestFeed(await personOfLevel(level, opine), hub)).toMatchObject(FORBIDDEN);
    }
  });

  test('the feed forbids caching', async () => {
    const { hub, amara } = await aBusyCircle(1);
    for (const viewer of [amara, await hubReadyPerson(opine)]) {
      const { headers } = await requestFeed(viewer, hub);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
      expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
    }
  });
});

describe('the feed of a missing Hub', () => {
  test('a missing Hub answers 404 at its path, and a closed or unknown hubId answers 403', async () => {
    const amara = await hubReadyPerson(opine);
    const closed = await aHub(amara);
    await aHubPost(amara, [closed]);
    await expectOk(requestLeave(amara, closed));
    for (const id of [closed.id, NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await amara.get(`/hubs/${id}/feed`)).toMatchObject(refusal(404, 'HUB_NOT_FOUND'));
    }
    for (const hubId of [closed.id, NONEXISTENT.id]) {
      expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(FORBIDDEN);
    }
  });

  test('a malformed hubId answers 422', async () => {
    const amara = await hubReadyPerson(opine);
    for (const hubId of ['', 'garlic', `${NONEXISTENT.id}0`]) {
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['hubId'] }] });
      expect(await amara.get(withQuery('/posts', { hubId }))).toMatchObject(refused);
    }
  });
});

test('a guest gets 401 at /hubs/{hubId}/feed and 403 at /posts?hubId=, and level 3 gets 403', async () => {
  const { hub } = await aHubOfTwo(opine);
  expect(await aGuest(opine).get(`/hubs/${hub.id}/feed`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  expect(await aGuest(opine).get(`/posts?hubId=${hub.id}`)).toMatchObject(FORBIDDEN);
  const confirmed = await (await personOfLevel(3, opine)).get(`/hubs/${hub.id}/feed`);
  expect(confirmed.error.details).toEqual({ requiredLevel: 4, level: 3, nextStep: 'contacts' });
});

describe('posts shared into a Hub', () => {
  let amara: Person;
  let jonas: Person;
  let unrelated: Person;
  let hub: Hub;

  beforeEach(async () => {
    [amara, unrelated] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Unrelated')];
    hub = await aHub(amara);
    jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  });

  const cards = async (viewer: Client, of: Hub) => (await allPages(viewer, `/hubs/${of.id}/feed`)).flat();
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
});
