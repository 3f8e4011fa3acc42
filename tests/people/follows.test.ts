import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { chooseForDefaultFeed, homeFeed, homePage, homePages } from '../support/feeds.ts';
import {
  block,
  follow,
  followedBy,
  followersOf,
  followsBetween,
  mergeInto,
  NO_IDS,
  NOBODY,
  profileSeenBy,
  requestFollow,
  type Somebody,
  unblock,
  unfollow,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NOT_FOUND = refusal(404, 'USER_NOT_FOUND');
const requestUnfollow = (person: Client, { id }: Somebody) => person.delete(`/users/${id}/follow`);
const countsOf = async (person: Somebody) => (await profileSeenBy(aGuest(opine), person)).counts;

async function pairs(): Promise<[Person, Person]> {
  return [await aRegistered(opine, 'Maya'), await aRegistered(opine, 'Amara')];
}

describe('following somebody', () => {
  test('is told to both of them', async () => {
    const [maya, amara] = await pairs();
    const { status, data } = await requestFollow(maya, amara);
    expect([status, data]).toEqual([200, { following: true }]);
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
    expect(await countsOf(maya)).toEqual({ followers: 0, following: 1 });
    expect(await followersOf(amara, amara)).toEqual([maya.id]);
    expect(await followedBy(amara, maya)).toEqual([amara.id]);
    expect((await profileSeenBy(maya, amara)).viewer).toMatchObject({ follows: true, followedBy: false });
  });

  test('works with an id in upper case', async () => {
    const [maya, amara] = await pairs();
    expect((await requestFollow(maya, { id: amara.id.toUpperCase() })).status).toBe(200);
    expect(await requestFollow(maya, amara)).toMatchObject(refusal(409, 'ALREADY_FOLLOWING'));
  });

  test('is done once', async () => {
    const [maya, amara] = await pairs();
    await follow(maya, amara);
    expect(await requestFollow(maya, amara)).toMatchObject(refusal(409, 'ALREADY_FOLLOWING'));
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
  });

  test('with a key is answered again as it was', async () => {
    const [maya, amara] = await pairs();
    const send = () =>
      maya.post(`/users/${amara.id}/follow`, undefined, { headers: { 'idempotency-key': 'to-follow' } });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
  });

  test('ends as often as it is said', async () => {
    const [maya, amara] = await pairs();
    await follow(maya, amara);
    for (const _ of [1, 2]) {
      const { status, data } = await requestUnfollow(maya, amara);
      expect([status, data]).toEqual([200, { following: false }]);
    }
    expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
    expect(await followersOf(maya, amara)).toEqual([]);
    await follow(maya, amara);
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
  });
});

describe('nobody follows', () => {
  test('themselves', async () => {
    const maya = await aRegistered(opine);
    expect(await requestFollow(maya, maya)).toMatchObject(refusal(409, 'CANNOT_FOLLOW_SELF'));
    expect(await requestFollow(maya, { id: maya.id.toUpperCase() })).toMatchObject(
      refusal(409, 'CANNOT_FOLLOW_SELF'),
    );
    expect(await countsOf(maya)).toEqual({ followers: 0, following: 0 });
  });

  test.each(NO_IDS)('"%s"', async (id) => {
    const maya = await aRegistered(opine);
    expect(await requestFollow(maya, { id })).toMatchObject(NOT_FOUND);
    expect(await requestUnfollow(maya, { id })).toMatchObject(NOT_FOUND);
  });

  test('who is not there, has no name, or is no longer there', async () => {
    const [maya, gone] = await pairs();
    await gone.delete('/users/me');
    for (const nobody of [NOBODY, await anAnonymous(opine), gone]) {
      expect(await requestFollow(maya, nobody)).toMatchObject(NOT_FOUND);
      expect(await requestUnfollow(maya, nobody)).toMatchObject(NOT_FOUND);
    }
  });

  test('whom they block, nor who blocks them', async () => {
    const [maya, amara] = await pairs();
    await block(maya, amara);
    const { status, error } = await requestFollow(maya, amara);
    expect([status, error.code, error.details]).toEqual([403, 'FORBIDDEN', {}]);
    expect(await requestFollow(amara, maya)).toMatchObject(NOT_FOUND);
    await unblock(maya, amara);
    await follow(maya, amara);
    await follow(amara, maya);
  });

  test('before they have a profile', async () => {
    const [anonymous, amara] = [await anAnonymous(opine), await aRegistered(opine)];
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 2, level: 1, nextStep: 'profile_basics' });
    expect(await requestFollow(anonymous, amara)).toMatchObject(refused);
    expect(await requestUnfollow(anonymous, amara)).toMatchObject(refused);
  });

  test('without a bearer, or with one that was logged out', async () => {
    const [maya, amara] = await pairs();
    await logOut(opine, maya.session);
    for (const caller of [aGuest(opine), maya]) {
      expect(await requestFollow(caller, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await requestUnfollow(caller, amara)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
  });
});

describe('at once', () => {
  test('two follows are one, again and again', async () => {
    for (const _ of Array(10).keys()) {
      const [maya, amara] = await pairs();
      const replies = await Promise.all([requestFollow(maya, amara), requestFollow(maya, amara)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
    }
  });

  test('two people follow each other', async () => {
    for (const _ of Array(10).keys()) {
      const [maya, amara] = await pairs();
      const replies = await Promise.all([requestFollow(maya, amara), requestFollow(amara, maya)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      for (const person of [maya, amara])
        expect(await countsOf(person)).toEqual({ followers: 1, following: 1 });
    }
  });

  test('a dozen follow one, and every one counts', async () => {
    const amara = await aRegistered(opine);
    const people = await Promise.all(Array.from({ length: 12 }, () => aRegistered(opine)));
    const replies = await Promise.all(people.map((person) => requestFollow(person, amara)));
    expect(replies.map(({ status }) => status)).toEqual(people.map(() => 200));
    expect(await countsOf(amara)).toEqual({ followers: 12, following: 0 });
    await Promise.all(people.slice(5).map((person) => requestUnfollow(person, amara)));
    expect(await countsOf(amara)).toEqual({ followers: 5, following: 0 });
  });
});

describe('the home feed', () => {
  const contexts = (items: Json[]) => items.map(({ id, feedContext }) => [id, feedContext]);

  test('has the posts of followed people beside own ones, the newest first', async () => {
    const [maya, amara, jonas] = [await aConfirmed(opine), await aConfirmed(opine), await aConfirmed(opine)];
    const before = await aThought(amara);
    await follow(maya, amara, jonas);
    await follow(jonas, maya);
    const [own, his, hers] = [await aThought(maya), await aSlider(jonas), await aSlider(amara)];
    const { items } = await homePage(maya);
    expect(contexts(items)).toEqual([
      [hers.id, 'followed_author'],
      [his.id, 'followed_author'],
      [own.id, 'own_post'],
      [before.id, 'followed_author'],
    ]);
    for (const limit of [1, 2, 3, 4]) {
      const pages = await homePages(maya, limit);
      expect(pages.flat().map(({ id }) => id)).toEqual([hers.id, his.id, own.id, before.id]);
    }
    await unfollow(maya, jonas);
    expect(await homeFeed(maya)).toEqual([hers.id, own.id, before.id]);
    expect(await homeFeed(amara)).toEqual([hers.id, before.id]);
  });

  test('of whoever follows somebody is not that of everybody', async () => {
    const [maya, amara, chosen] = [
      await aRegistered(opine),
      await aRegistered(opine),
      await aConfirmed(opine),
    ];
    await chooseForDefaultFeed(opine, chosen);
    const post = await aThought(chosen);
    expect(await homeFeed(maya)).toEqual([post.id]);
    await follow(maya, amara);
    expect(await homeFeed(maya)).toEqual([]);
    await follow(maya, chosen);
    expect(contexts((await homePage(maya)).items)).toEqual([[post.id, 'followed_author']]);
    await unfollow(maya, chosen);
    await unfollow(maya, amara);
    expect(contexts((await homePage(maya)).items)).toEqual([[post.id, 'default_feed_user']]);
  });
});

describe('in a merge', () => {
  test('follows move, each kept once, and nobody follows themselves', async () => {
    const owner = await aConfirmed(opine);
    const guest = await aRegistered(opine);
    const [hers, both, fan] = [await aRegistered(opine), await aRegistered(opine), await aRegistered(opine)];
    await follow(guest, hers, both, owner);
    await follow(owner, both, guest);
    await follow(fan, guest, owner);
    const merged = await mergeInto(opine, guest, owner);
    expect((await followedBy(merged, owner)).sort()).toEqual([hers.id, both.id].sort());
    expect(await followersOf(merged, owner)).toEqual([fan.id]);
    expect(await countsOf(owner)).toEqual({ followers: 1, following: 2 });
    for (const person of [hers, both]) expect(await countsOf(person)).toEqual({ followers: 1, following: 0 });
    expect(await countsOf(fan)).toEqual({ followers: 0, following: 1 });
    expect(await followsBetween(opine, owner, guest)).toEqual([]);
  });

  test('blocks win over follows, whosever they were', async () => {
    const owner = await aConfirmed(opine);
    const guest = await aRegistered(opine);
    const [blocked, blocker] = [await aRegistered(opine), await aRegistered(opine)];
    await follow(guest, blocked, blocker);
    await follow(blocked, guest);
    await block(owner, blocked);
    await block(blocker, owner);
    const merged = await mergeInto(opine, guest, owner);
    expect(await followedBy(merged, owner)).toEqual([]);
    for (const other of [blocked, blocker]) expect(await followsBetween(opine, owner, other)).toEqual([]);
    expect(await countsOf(owner)).toEqual({ followers: 0, following: 0 });
    expect(await countsOf(blocked)).toEqual({ followers: 0, following: 0 });
    expect((await profileSeenBy(merged, blocked)).viewer.blocking).toBe(true);
  });

  test('with follows at the same moment none is lost and none is left behind', async () => {
    const owner = await aConfirmed(opine);
    const guest = await aRegistered(opine);
    const people = await Promise.all(Array.from({ length: 8 }, () => aRegistered(opine)));
    const [, ...replies] = await Promise.all([
      mergeInto(opine, guest, owner),
      ...people.map((person) => requestFollow(guest, person)),
    ]);
    const followed = people.filter((_, index) => replies[index]?.status === 200).map(({ id }) => id);
    for (const { status } of replies) expect([200, 401]).toContain(status);
    await untilGone(opine, guest.id);
    expect((await followedBy(await anAnonymous(opine), owner)).sort()).toEqual(followed.sort());
    expect(await countsOf(owner)).toEqual({ followers: 0, following: followed.length });
  });
});
