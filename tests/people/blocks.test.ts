import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import {
  block,
  follow,
  followersOf,
  followsBetween,
  mergeInto,
  NO_IDS,
  NOBODY,
  profileSeenBy,
  requestBlock,
  requestFollow,
  type Somebody,
  unblock,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NOT_FOUND = refusal(404, 'USER_NOT_FOUND');
const requestUnblock = (person: Client, { id }: Somebody) => person.delete(`/users/${id}/block`);
const countsOf = async (person: Somebody) => (await profileSeenBy(aGuest(opine), person)).counts;
const isBlocking = async (viewer: Client, other: Somebody) =>
  (await profileSeenBy(viewer, other)).viewer.blocking;
const sees = async (viewer: Client, { id }: Somebody) =>
  (await viewer.get(`/users/${id}/profile`)).status === 200;

async function pair(): Promise<[Person, Person]> {
  return [await aRegistered(opine, 'Amara'), await aRegistered(opine, 'Jonas')];
}

describe('blocking somebody', () => {
  test('hides the blocker from the blocked, and not the other way round', async () => {
    const [amara, jonas] = await pair();
    const { status, data } = await requestBlock(amara, jonas);
    expect([status, data]).toEqual([200, { blocked: true }]);
    expect(await isBlocking(amara, jonas)).toBe(true);
    expect(await jonas.get(`/users/${amara.id}/profile`)).toMatchObject(NOT_FOUND);
    expect(await jonas.get(`/users/by-username/${amara.username}`)).toMatchObject(NOT_FOUND);
    for (const viewer of [aGuest(opine), await anAnonymous(opine)])
      expect(await sees(viewer, amara)).toBe(true);
  });

  test('ends the follows between them, both ways, and no others', async () => {
    const [amara, jonas] = await pair();
    const fan = await aRegistered(opine);
    await follow(amara, jonas);
    await follow(jonas, amara);
    await follow(fan, amara, jonas);
    await block(amara, jonas);
    expect(await followsBetween(opine, amara, jonas)).toEqual([]);
    for (const person of [amara, jonas]) {
      expect(await followersOf(fan, person)).toEqual([fan.id]);
      expect(await countsOf(person)).toEqual({ followers: 1, following: 0 });
    }
    expect((await profileSeenBy(amara, jonas)).viewer).toMatchObject({ follows: false, followedBy: false });
  });

  test('says the same however often it is said', async () => {
    const [amara, jonas] = await pair();
    for (const _ of [1, 2, 3]) {
      const { status, data } = await requestBlock(amara, jonas);
      expect([status, data]).toEqual([200, { blocked: true }]);
    }
    expect(await requestUnblock(amara, jonas)).toMatchObject({ status: 200, data: { blocked: false } });
    expect(await isBlocking(amara, jonas)).toBe(false);
  });

  test('is open to somebody without a profile', async () => {
    const [anonymous, jonas] = [await anAnonymous(opine), await aRegistered(opine)];
    await block(anonymous, jonas);
    expect(await isBlocking(anonymous, jonas)).toBe(true);
    const basics = { fullName: 'Now Known', username: 'blocker_now_known', termsAccepted: true };
    await anonymous.put('/users/me/onboarding/profile-basics', basics);
    expect(await sees(jonas, anonymous)).toBe(false);
    expect(await sees(aGuest(opine), anonymous)).toBe(true);
  });

  test('cannot be answered in kind, nor ended, by the blocked', async () => {
    const [amara, jonas] = await pair();
    await block(amara, jonas);
    expect(await requestBlock(jonas, amara)).toMatchObject(NOT_FOUND);
    expect(await requestUnblock(jonas, amara)).toMatchObject(NOT_FOUND);
    expect(await sees(jonas, amara)).toBe(false);
  });
});

describe('a block that ends', () => {
  test('shows both to each other, and no follow comes back', async () => {
    const [amara, jonas] = await pair();
    await follow(amara, jonas);
    await follow(jonas, amara);
    await block(amara, jonas);
    for (const _ of [1, 2]) {
      expect(await requestUnblock(amara, jonas)).toMatchObject({ status: 200, data: { blocked: false } });
    }
    expect(await sees(jonas, amara)).toBe(true);
    expect((await profileSeenBy(amara, jonas)).viewer).toEqual({
      follows: false,
      followedBy: false,
      blocking: false,
      publicPostsMuted: false,
    });
    await follow(jonas, amara);
    expect(await countsOf(amara)).toEqual({ followers: 1, following: 0 });
  });

  test('may be one that never was', async () => {
    const [amara, jonas] = await pair();
    await follow(amara, jonas);
    expect(await requestUnblock(amara, jonas)).toMatchObject({ status: 200, data: { blocked: false } });
    expect((await profileSeenBy(amara, jonas)).viewer.follows).toBe(true);
  });
});

describe('nobody blocks', () => {
  test('themselves', async () => {
    const amara = await aRegistered(opine);
    expect(await requestBlock(amara, amara)).toMatchObject(refusal(409, 'CANNOT_BLOCK_SELF'));
    expect(await requestBlock(amara, { id: amara.id.toUpperCase() })).toMatchObject(
      refusal(409, 'CANNOT_BLOCK_SELF'),
    );
    expect(await sees(amara, amara)).toBe(true);
  });

  test.each(NO_IDS)('"%s"', async (id) => {
    const amara = await anAnonymous(opine);
    expect(await requestBlock(amara, { id })).toMatchObject(NOT_FOUND);
    expect(await requestUnblock(amara, { id })).toMatchObject(NOT_FOUND);
  });

  test('who is not there, has no name, or is no longer there', async () => {
    const [amara, gone] = await pair();
    await gone.delete('/users/me');
    for (const nobody of [NOBODY, await anAnonymous(opine), gone]) {
      expect(await requestBlock(amara, nobody)).toMatchObject(NOT_FOUND);
      expect(await requestUnblock(amara, nobody)).toMatchObject(NOT_FOUND);
    }
  });

  test('without a bearer, or with one that was logged out', async () => {
    const [amara, jonas] = await pair();
    await logOut(opine, amara.session);
    for (const caller of [aGuest(opine), amara]) {
      expect(await requestBlock(caller, jonas)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await requestUnblock(caller, jonas)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await sees(jonas, amara)).toBe(true);
  });
});

describe('at once', () => {
  const ROUNDS = 15;

  test('a block and follows both ways leave no follow', async () => {
    for (const round of Array(ROUNDS).keys()) {
      const [amara, jonas] = await pair();
      // Whoever comes first is first in some rounds and last in others.
      const asks = [
        () => requestFollow(jonas, amara),
        () => requestBlock(amara, jonas),
        () => requestFollow(amara, jonas),
      ];
      const rotated = [...asks.slice(round % 3), ...asks.slice(0, round % 3)];
      const statuses = (await Promise.all(rotated.map((ask) => ask()))).map(({ status }) => status);
      for (const status of statuses) expect([200, 403, 404]).toContain(status);
      expect(await followsBetween(opine, amara, jonas)).toEqual([]);
      for (const person of [amara, jonas])
        expect(await countsOf(person)).toEqual({ followers: 0, following: 0 });
      expect(await isBlocking(amara, jonas)).toBe(true);
    }
  });

  test('two who block each other while one follows: at least one is blocked, nobody followed', async () => {
    for (const _ of Array(ROUNDS).keys()) {
      const [amara, jonas] = await pair();
      await follow(amara, jonas);
      const [hers, his, again] = await Promise.all([
        requestBlock(amara, jonas),
        requestBlock(jonas, amara),
        requestFollow(jonas, amara),
      ]);
      for (const { status } of [hers, his]) expect([200, 404]).toContain(status);
      expect([hers.status, his.status]).toContain(200);
      expect([200, 403, 404]).toContain(again.status);
      expect(await followsBetween(opine, amara, jonas)).toEqual([]);
      expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
    }
  });

  test('the same block, said five times, is one', async () => {
    const [amara, jonas] = await pair();
    await follow(jonas, amara);
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestBlock(amara, jonas)));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
    await unblock(amara, jonas);
    expect(await sees(jonas, amara)).toBe(true);
  });

  test('one who blocks everybody that follows at that moment is followed by nobody', async () => {
    const amara = await aRegistered(opine);
    const people = await Promise.all(Array.from({ length: 8 }, () => aRegistered(opine)));
    await Promise.all(
      people.flatMap((person) => [requestFollow(person, amara), requestBlock(amara, person)]),
    );
    expect(await countsOf(amara)).toEqual({ followers: 0, following: 0 });
    for (const person of people) expect(await followsBetween(opine, person, amara)).toEqual([]);
  });
});

describe('in a merge', () => {
  test('blocks move, in both directions', async () => {
    const owner = await aConfirmed(opine);
    const guest = await aRegistered(opine);
    const [blocked, blocker] = await pair();
    await block(guest, blocked);
    await block(blocker, guest);
    const merged = await mergeInto(opine, guest, owner);
    expect(await isBlocking(merged, blocked)).toBe(true);
    expect(await sees(blocked, owner)).toBe(false);
    expect(await sees(merged, blocker)).toBe(false);
    expect(await isBlocking(blocker, owner)).toBe(true);
    await unblock(merged, blocked);
    expect(await sees(blocked, owner)).toBe(true);
  });

  test('blocks of somebody without a name move, and of two the one that both have is one', async () => {
    const owner = await aConfirmed(opine);
    const guest = await anAnonymous(opine);
    const [jonas, lena] = await pair();
    await block(guest, jonas);
    await block(guest, lena);
    await block(owner, lena);
    const merged = await mergeInto(opine, guest, owner);
    for (const person of [jonas, lena]) expect(await isBlocking(merged, person)).toBe(true);
    await unblock(merged, lena);
    expect(await isBlocking(merged, lena)).toBe(false);
  });

  test('nobody blocks themselves', async () => {
    const owner = await aConfirmed(opine);
    const guest = await aRegistered(opine);
    await block(guest, owner);
    const merged = await mergeInto(opine, guest, owner);
    expect(await isBlocking(merged, owner)).toBe(false);
    expect(await sees(merged, owner)).toBe(true);
  });

  test('a block that has come to be mutual ends one side at a time', async () => {
    const owner = await aConfirmed(opine);
    const guest = await aRegistered(opine);
    const jonas = await aRegistered(opine);
    await block(guest, jonas);
    await block(jonas, owner);
    const merged = await mergeInto(opine, guest, owner);
    for (const [viewer, other] of [
      [merged, jonas],
      [jonas, owner],
    ] as const) {
      expect(await sees(viewer, other)).toBe(false);
    }
    expect(await requestUnblock(merged, jonas)).toMatchObject({ status: 200, data: { blocked: false } });
    expect(await requestUnblock(merged, jonas)).toMatchObject(NOT_FOUND);
    expect(await sees(merged, jonas)).toBe(false);
    expect(await isBlocking(jonas, owner)).toBe(true);
    await unblock(jonas, owner);
    expect(await sees(merged, jonas)).toBe(true);
  });
});
