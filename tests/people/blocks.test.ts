import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, refusal } from '../support/client.ts';
import {
  block,
  follow,
  followsBetween,
  profileSeenBy,
  requestBlock,
  requestFollow,
  unblock,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
  type UserRef,
} from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const NOT_FOUND = refusal(404, 'USER_NOT_FOUND');
const requestUnblock = (person: Client, { id }: UserRef) => person.delete(`/users/${id}/block`);
const followCountsOf = async (person: UserRef) => (await profileSeenBy(aGuest(opine), person)).counts;
const isBlocking = async (viewer: Client, other: UserRef) =>
  (await profileSeenBy(viewer, other)).viewer.blocking;

/** Tells whether `viewer` finds the profile. */
const sees = async (viewer: Client, { id }: UserRef) =>
  (await viewer.get(`/users/${id}/profile`)).status === 200;

async function pair(): Promise<[Person, Person]> {
  return [await registeredPerson(opine, 'Amara'), await registeredPerson(opine, 'Jonas')];
}

describe('POST and DELETE /users/{userId}/block', () => {
  // docs/product.md P17, P18
  test('a block hides the blocker from the blocked user, and an unblock shows both but restores no follow', async () => {
    const [amara, jonas] = await pair();
    await follow(amara, jonas);
    await follow(jonas, amara);
    expect(await requestBlock(amara, amara)).toMatchObject(refusal(409, 'CANNOT_BLOCK_SELF'));
    const { status, data } = await requestBlock(amara, jonas);
    expect([status, data]).toEqual([200, { blocked: true }]);
    expect(await isBlocking(amara, jonas)).toBe(true);
    for (const path of [`${amara.id}/profile`, `by-username/${amara.username}`, `${amara.id}/followers`])
      expect(await jonas.get(`/users/${path}`)).toMatchObject(NOT_FOUND);
    expect(await requestUnblock(amara, jonas)).toMatchObject({ status: 200, data: { blocked: false } });
    expect((await profileSeenBy(jonas, amara)).viewer).toEqual({
      follows: false,
      followedBy: false,
      blocking: false,
      publicPostsMuted: false,
    });
    expect(await followCountsOf(amara)).toEqual({ followers: 0, following: 0 });
  });
});

describe('concurrent requests', () => {
  const ROUNDS = 15;

  test('a block and follows in both directions leave no follow', async () => {
    for (const round of Array(ROUNDS).keys()) {
      const [amara, jonas] = await pair();
      // Each request comes first in some rounds and last in others.
      const requests = [
        () => requestFollow(jonas, amara),
        () => requestBlock(amara, jonas),
        () => requestFollow(amara, jonas),
      ];
      const rotated = [...requests.slice(round % 3), ...requests.slice(0, round % 3)];
      const statuses = (await Promise.all(rotated.map((request) => request()))).map(({ status }) => status);
      for (const status of statuses) expect([200, 403, 404]).toContain(status);
      expect(await followsBetween(opine, amara, jonas)).toEqual([]);
      for (const person of [amara, jonas])
        expect(await followCountsOf(person)).toEqual({ followers: 0, following: 0 });
      expect(await isBlocking(amara, jonas)).toBe(true);
    }
  });

  test('two users who block each other while one follows leave a block and no follow', async () => {
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
      expect(await followCountsOf(amara)).toEqual({ followers: 0, following: 0 });
    }
  });

  test('five equal blocks are one block', async () => {
    const [amara, jonas] = await pair();
    await follow(jonas, amara);
    const replies = await Promise.all(Array.from({ length: 5 }, () => requestBlock(amara, jonas)));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await followCountsOf(amara)).toEqual({ followers: 0, following: 0 });
    await unblock(amara, jonas);
    expect(await sees(jonas, amara)).toBe(true);
  });

  test('a user who blocks each new follower has no followers', async () => {
    const amara = await registeredPerson(opine);
    const people = await Promise.all(Array.from({ length: 8 }, () => registeredPerson(opine)));
    await Promise.all(
      people.flatMap((person) => [requestFollow(person, amara), requestBlock(amara, person)]),
    );
    expect(await followCountsOf(amara)).toEqual({ followers: 0, following: 0 });
    for (const person of people) expect(await followsBetween(opine, person, amara)).toEqual([]);
  });
});

describe('GET /users/me/blocks', () => {
  const BLOCKS = '/users/me/blocks';

  test('the list shows each blocked user with the time of the block', async () => {
    const maya = await anonymousPerson(opine);
    const before = Date.now();
    const jonas = await registeredPerson(opine, 'Jonas Weber');
    await block(maya, jonas);
    const { items, nextCursor } = await expectOk(maya.get(BLOCKS));
    expect(items).toEqual([
      {
        id: jonas.id,
        username: jonas.username,
        name: 'Jonas Weber',
        profilePhotoUrl: null,
        isAnonymous: false,
        blockedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(Date.parse(items[0].blockedAt)).toBeGreaterThanOrEqual(before);
    expect(nextCursor).toBeNull();
  });
});

// docs/product.md P18, P19
test.each(['blocker', 'blocked user'])(
  'a vote of the %s stays counted and is hidden from them',
  async (role) => {
    const [amara, jonas] = [await confirmedPerson(opine, 'Amara'), await confirmedPerson(opine, 'Jonas')];
    const [viewer, author] = role === 'blocker' ? [amara, jonas] : [jonas, amara];
    const post = await aSlider(author);
    const notFound = refusal(404, 'POST_NOT_FOUND');
    await castVote(viewer, post, 'right');
    await block(amara, jonas);
    for (const path of ['', '/vote/summary', '/vote/distribution'])
      expect(await viewer.get(`/posts/${post.id}${path}`)).toMatchObject(notFound);
    expect(await castVote(viewer, post)).toMatchObject(notFound);
    expect(await myVote(viewer, post)).toMatchObject(notFound);
    expect(await countsOf(aGuest(opine), post)).toEqual([0, 0, 0, 1, 0]);
    await unblock(amara, jonas);
    expect((await myVote(viewer, post)).data.hasVoted).toBe(true);
  },
);
