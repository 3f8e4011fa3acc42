import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  clientOf,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  newestFirst,
  refusal,
  withQuery,
} from '../support/client.ts';
import { ACTIVITIES, profileFeedOf } from '../support/feeds.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import { aRepost, aSlider, aThought, seenBy, shareToFeed, shareToHubs } from '../support/posts.ts';
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

/** Creates viewers of every kind. All of them get the same public profile feed. */
const everybody = async (): Promise<Client[]> => [
  aGuest(opine),
  clientOf(opine.url, 'no.good.token'),
  await anonymousPerson(opine),
  await registeredPerson(opine),
  jonas,
  unrelated,
  amara,
];

const requestProfileFeed = (viewer: Client, id: string, query: object = {}) =>
  viewer.get(withQuery(`/users/${id}/feed`, query));

describe('GET /users/{userId}/feed', () => {
  test('every viewer and the owner get the public posts and reposts of the owner', async () => {
    const open = await aThought(amara);
    const beside = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    await aHubPost(amara, [hub]);
    await aHubPost(amara, [hub, await aHub(amara)]);
    const repost = await aRepost(amara, await aSlider(unrelated));
    for (const viewer of await everybody()) {
      expect(await profileFeedOf(viewer, amara)).toEqual([repost.id, beside.id, open.id]);
    }
  });

  test('every viewer gets the feed shares of the owner, each post at its latest share', async () => {
    const own = await aThought(amara);
    const foreign = await aSlider(unrelated);
    await shareToFeed(amara, foreign);
    const newest = await aThought(amara);
    for (const viewer of await everybody()) {
      expect(await profileFeedOf(viewer, amara)).toEqual([newest.id, foreign.id, own.id]);
    }
    await shareToFeed(amara, own);
    expect(await profileFeedOf(unrelated, amara)).toEqual([own.id, newest.id, foreign.id]);
    await shareToFeed(amara, foreign);
    expect(await profileFeedOf(unrelated, amara)).toEqual([foreign.id, own.id, newest.id]);
    expect(await profileFeedOf(amara, unrelated)).toEqual([foreign.id]);
  });

  const activities: typeof ACTIVITIES = {
    ...ACTIVITIES,
    'shares it into a Hub': (person, post) => shareToHubs(person, post, hub),
  };

  test.each(Object.entries(activities).filter(([act]) => act !== 'reposts it'))(
    'the feed does not change when another person %s',
    async (_, perform) => {
      const posts = [await aSlider(amara), await aSlider(amara)];
      await perform(jonas, posts[0]);
      expect(await profileFeedOf(unrelated, amara)).toEqual(newestFirst(posts));
    },
  );

  test('each card is the card of the post, without feedContext, also of a repost beside its original', async () => {
    const foreign = await aSlider(unrelated);
    await aRepost(amara, foreign);
    await shareToFeed(amara, foreign);
    for (const viewer of [aGuest(opine), jonas, amara]) {
      const { items } = await expectOk(requestProfileFeed(viewer, amara.id));
      for (const shown of items) {
        const { permissions: _, ...card } = await seenBy(viewer, shown);
        expect(shown).toEqual(card);
        expect(shown).not.toHaveProperty('feedContext');
      }
      expect(items).toHaveLength(2);
    }
  });

  test('the feed forbids caching', async () => {
    for (const viewer of [aGuest(opine), jonas]) {
      const { headers } = await requestProfileFeed(viewer, amara.id);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
      expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
    }
  });
});

describe('private posts in a profile feed', () => {
  test('only members of a Hub of the post see it in the feed of its sharer', async () => {
    const next = await aHub(amara);
    const locked = await aHubPost(amara, [hub]);
    const shareable = await aHubPost(amara, [hub, await aHub(amara)]);
    for (const post of [locked, shareable]) await shareToFeed(amara, post);
    const seesNext = await aMemberOf(opine, amara, next, 'Noor');
    expect(await profileFeedOf(seesNext, amara)).toEqual([]);
    await shareToHubs(amara, shareable, next);
    for (const viewer of [amara, jonas]) {
      expect(await profileFeedOf(viewer, amara)).toEqual([shareable.id, locked.id]);
    }
    expect(await profileFeedOf(seesNext, amara)).toEqual([shareable.id]);
    for (const viewer of [aGuest(opine), unrelated]) expect(await profileFeedOf(viewer, amara)).toEqual([]);
    await expectOk(requestLeave(jonas, hub));
    expect(await profileFeedOf(jonas, amara)).toEqual([]);
  });
});

describe('profile feeds and a blocked pair', () => {
  test('the blocked person gets 404, and the blocker sees only posts of others in their feed', async () => {
    const foreign = await aThought(unrelated);
    await shareToFeed(jonas, foreign);
    await aThought(jonas);
    await block(amara, jonas);
    expect(await requestProfileFeed(jonas, amara.id)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    expect(await profileFeedOf(amara, jonas)).toEqual([foreign.id]);
    await unblock(amara, jonas);
    expect((await requestProfileFeed(jonas, amara.id)).status).toBe(200);
  });

  test('the feed of a third person hides the posts of each from the other', async () => {
    const byAmara = await aThought(amara);
    const byJonas = await aThought(jonas);
    for (const post of [byAmara, byJonas]) await shareToFeed(unrelated, post);
    await block(amara, jonas);
    expect(await profileFeedOf(amara, unrelated)).toEqual([byAmara.id]);
    expect(await profileFeedOf(jonas, unrelated)).toEqual([byJonas.id]);
    expect(await profileFeedOf(aGuest(opine), unrelated)).toEqual([byJonas.id, byAmara.id]);
  });
});

describe('deletions and profile feeds', () => {
  test('a deleted account answers 404, and deleted posts leave the feeds of their sharers', async () => {
    const [post, other] = [await aThought(jonas), await aThought(unrelated)];
    for (const each of [post, other]) await shareToFeed(amara, each);
    await expectOk(unrelated.delete(`/posts/${other.id}`));
    expect(await profileFeedOf(jonas, amara)).toEqual([post.id]);
    await expectOk(jonas.delete('/users/me'));
    for (const id of [jonas.id, NONEXISTENT.id, ...MALFORMED_IDS]) {
      expect(await requestProfileFeed(unrelated, id)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    }
    expect(await profileFeedOf(unrelated, amara)).toEqual([]);
    await waitUntilDeleted(opine, jonas.id);
    expect(await profileFeedOf(unrelated, amara)).toEqual([]);
  });
});

describe('profile feed pages', () => {
  test('pages of every size are full and return each frame once among hidden posts', async () => {
    const posts: Json[] = [];
    for (let index = 0; index < 23; index += 1) {
      const post = index % 2 === 0 ? await aThought(amara) : await aThought(unrelated);
      if (index % 3 !== 0 || index % 2 === 1) await shareToFeed(amara, post);
      await shareToFeed(amara, await aHubPost(amara, [hub]));
      posts.push(post);
    }
    const expected = newestFirst(posts);
    for (let limit = 1; limit <= 50; limit += limit < 25 ? 1 : 5) {
      const pages = await allPages(unrelated, `/users/${amara.id}/feed`, { limit });
      expect(pages.flatMap(idsOf)).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(posts.length / limit));
    }
    expect(await profileFeedOf(jonas, amara)).toHaveLength(2 * posts.length);
  });

  test('a page has 20 posts by default and 50 at most', async () => {
    await Promise.all(Array.from({ length: 51 }, () => aThought(amara)));
    const path = `/users/${amara.id}/feed`;
    expect((await allPages(unrelated, path)).map(({ length }) => length)).toEqual([20, 20, 11]);
    expect((await allPages(unrelated, path, { limit: 50 })).map(({ length }) => length)).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', 'ten', '']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
  ])('an invalid %s answers 422', async (name, values) => {
    for (const value of values) {
      const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [name] }] });
      for (const viewer of [aGuest(opine), jonas]) {
        expect(await requestProfileFeed(viewer, amara.id, { [name]: value })).toMatchObject(refused);
      }
    }
  });
});
