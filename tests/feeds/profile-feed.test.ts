import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, refusal } from '../support/client.ts';
import { ACTS, newestFirst } from '../support/feeds.ts';
import { aRepost, place, profileFeedOf, share } from '../support/frames.ts';
import {
  block,
  everyPage,
  granted,
  idsOf,
  mergeInto,
  NO_IDS,
  NOBODY,
  unblock,
  withQuery,
} from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy, thoughts } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let stranger: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, stranger] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Stranger')];
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas');
});

/** Everybody by whom a profile may be looked at, on whom nothing depends. */
const everybody = async (): Promise<Client[]> => [
  aGuest(opine),
  clientOf(opine.url, 'no.good.token'),
  await anAnonymous(opine),
  await aRegistered(opine),
  jonas,
  stranger,
  amara,
];

const ask = (viewer: Client, id: string, query: object = {}) =>
  viewer.get(withQuery(`/users/${id}/feed`, query));

describe('the feed of a profile', () => {
  test('holds what they publish and repost in public, the same for everybody and themselves', async () => {
    const open = await aThought(amara);
    const beside = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    await aHubPost(amara, [hub]);
    await aHubPost(amara, [hub, await aHub(amara)]);
    const repost = await aRepost(amara, await aSlider(stranger));
    for (const viewer of await everybody()) {
      expect(await profileFeedOf(viewer, amara)).toEqual([repost.id, beside.id, open.id]);
    }
  });

  test('holds what they share to it, whosesoever, at the time of the latest share', async () => {
    const own = await aThought(amara);
    const foreign = await aSlider(stranger);
    await share(amara, foreign);
    const newest = await aThought(amara);
    for (const viewer of await everybody()) {
      expect(await profileFeedOf(viewer, amara)).toEqual([newest.id, foreign.id, own.id]);
    }
    await share(amara, own);
    expect(await profileFeedOf(stranger, amara)).toEqual([own.id, newest.id, foreign.id]);
    await share(amara, foreign);
    expect(await profileFeedOf(stranger, amara)).toEqual([foreign.id, own.id, newest.id]);
    expect(await profileFeedOf(amara, stranger)).toEqual([foreign.id]);
  });

  test('holds a repost and what it is of as the two frames that they are', async () => {
    const foreign = await aSlider(stranger);
    const repost = await aRepost(amara, foreign);
    await share(amara, foreign);
    expect(await profileFeedOf(stranger, amara)).toEqual([foreign.id, repost.id]);
  });

  test('is that of a registered person too, who can only share', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const posts = await thoughts(amara, 2);
    for (const post of posts) await share(maya, post);
    expect(await profileFeedOf(aGuest(opine), maya)).toEqual(newestFirst(posts));
  });

  test('holds what they shared before they were known by their phone', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const [both, hers] = await thoughts(stranger, 2);
    await share(amara, both);
    const between = await aThought(amara);
    for (const post of [hers, both]) await share(maya, post);
    await mergeInto(opine, maya, amara);
    // Where both have shared a post, it is at the later time.
    expect(await profileFeedOf(aGuest(opine), amara)).toEqual([both.id, hers.id, between.id]);
  });

  test.each(Object.entries(ACTS).filter(([act]) => act !== 'reposts it'))(
    'does not change when somebody else %s',
    async (_, perform) => {
      const posts = [await aSlider(amara), await aSlider(amara)];
      await perform(jonas, posts[0]);
      expect(await profileFeedOf(stranger, amara)).toEqual(newestFirst(posts));
    },
  );

  test('is not changed by shares into Hubs, of anybody', async () => {
    const posts = await thoughts(amara, 2);
    const [old] = posts;
    const pages = () => everyPage(jonas, `/users/${amara.id}/feed`, { limit: 1 });
    const before = (await pages()).map(idsOf);
    await place(amara, old, hub);
    await place(amara, await aThought(stranger), hub);
    await place(jonas, old, await aHub(jonas));
    expect((await pages()).map(idsOf)).toEqual(before);
    expect(before).toEqual(newestFirst(posts).map((id) => [id]));
  });

  test('shows cards as the posts are, and no reason', async () => {
    await share(amara, await aSlider(stranger));
    await aRepost(amara, await aSlider(stranger));
    for (const viewer of [aGuest(opine), jonas, amara]) {
      const { items } = await granted(ask(viewer, amara.id));
      for (const shown of items) {
        const { permissions: _, ...card } = await seenBy(viewer, shown);
        expect(shown).toEqual(card);
        expect(shown).not.toHaveProperty('feedContext');
      }
      expect(items).toHaveLength(2);
    }
  });

  test('is kept by no cache', async () => {
    for (const viewer of [aGuest(opine), jonas]) {
      const { headers } = await ask(viewer, amara.id);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
      expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
    }
  });
});

describe('what is for Hubs alone, and shared to a feed,', () => {
  test('is there for those alone who may see it by a Hub it is in', async () => {
    const next = await aHub(amara);
    const locked = await aHubPost(amara, [hub]);
    const shareable = await aHubPost(amara, [hub, await aHub(amara)]);
    for (const post of [locked, shareable]) await share(amara, post);
    const seesNext = await aMemberOf(opine, amara, next, 'Noor');
    expect(await profileFeedOf(seesNext, amara)).toEqual([]);
    await place(amara, shareable, next);
    for (const viewer of [amara, jonas]) {
      expect(await profileFeedOf(viewer, amara)).toEqual([shareable.id, locked.id]);
    }
    expect(await profileFeedOf(seesNext, amara)).toEqual([shareable.id]);
    for (const viewer of [aGuest(opine), stranger]) expect(await profileFeedOf(viewer, amara)).toEqual([]);
    await granted(requestLeave(jonas, hub));
    expect(await profileFeedOf(jonas, amara)).toEqual([]);
  });

  test('is there as shared by a reader, until they leave for those who see it, too', async () => {
    const locked = await aHubPost(amara, [hub]);
    await share(jonas, locked);
    await granted(requestLeave(jonas, hub));
    expect(await profileFeedOf(amara, jonas)).toEqual([locked.id]);
    expect(await profileFeedOf(jonas, jonas)).toEqual([]);
    await join(amara, hub, [jonas]);
    expect(await profileFeedOf(jonas, jonas)).toEqual([locked.id]);
  });
});

describe('between people of whom one has blocked the other', () => {
  test('the blocked find no profile, and the blocker finds nothing on theirs but what is of others', async () => {
    const foreign = await aThought(stranger);
    await share(jonas, foreign);
    await aThought(jonas);
    await block(amara, jonas);
    expect(await ask(jonas, amara.id)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    expect(await profileFeedOf(amara, jonas)).toEqual([foreign.id]);
    await unblock(amara, jonas);
    expect((await ask(jonas, amara.id)).status).toBe(200);
  });

  test('a third shows neither the posts of the other', async () => {
    const hers = await aThought(amara);
    const his = await aThought(jonas);
    for (const post of [hers, his]) await share(stranger, post);
    await block(amara, jonas);
    expect(await profileFeedOf(amara, stranger)).toEqual([hers.id]);
    expect(await profileFeedOf(jonas, stranger)).toEqual([his.id]);
    expect(await profileFeedOf(aGuest(opine), stranger)).toEqual([his.id, hers.id]);
  });
});

describe('what is gone', () => {
  test('has no feed, and is in none', async () => {
    const [post, other] = [await aThought(jonas), await aThought(stranger)];
    for (const each of [post, other]) await share(amara, each);
    await granted(stranger.delete(`/posts/${other.id}`));
    expect(await profileFeedOf(jonas, amara)).toEqual([post.id]);
    await granted(jonas.delete('/users/me'));
    for (const id of [jonas.id, NOBODY.id, ...NO_IDS]) {
      expect(await ask(stranger, id)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    }
    expect(await profileFeedOf(stranger, amara)).toEqual([]);
    await untilGone(opine, jonas.id);
    expect(await profileFeedOf(stranger, amara)).toEqual([]);
  });
});
