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
  refusal,
} from '../support/client.ts';
import {
  block,
  follow,
  followsBetween,
  listedIds,
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
import { logOut } from '../support/sign-in.ts';
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

describe('POST /users/{userId}/block', () => {
  test('a block hides the blocker from the blocked user, but not the blocked user from the blocker', async () => {
    const [amara, jonas] = await pair();
    const { status, data } = await requestBlock(amara, jonas);
    expect([status, data]).toEqual([200, { blocked: true }]);
    expect(await isBlocking(amara, jonas)).toBe(true);
    expect(await jonas.get(`/users/${amara.id}/profile`)).toMatchObject(NOT_FOUND);
    expect(await jonas.get(`/users/by-username/${amara.username}`)).toMatchObject(NOT_FOUND);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine)])
      expect(await sees(viewer, amara)).toBe(true);
  });

  test('a user cannot block themselves, whatever the case of the id', async () => {
    const amara = await registeredPerson(opine);
    expect(await requestBlock(amara, amara)).toMatchObject(refusal(409, 'CANNOT_BLOCK_SELF'));
    expect(await requestBlock(amara, { id: amara.id.toUpperCase() })).toMatchObject(
      refusal(409, 'CANNOT_BLOCK_SELF'),
    );
    expect(await sees(amara, amara)).toBe(true);
  });

  test.each([...MALFORMED_IDS, NONEXISTENT.id])(
    'the id "%s" gets 404 for a block and an unblock',
    async (id) => {
      const amara = await anonymousPerson(opine);
      expect(await requestBlock(amara, { id })).toMatchObject(NOT_FOUND);
      expect(await requestUnblock(amara, { id })).toMatchObject(NOT_FOUND);
    },
  );

  test('a guest or a logged-out user cannot block or unblock', async () => {
    const [amara, jonas] = await pair();
    await logOut(opine, amara.session);
    for (const caller of [aGuest(opine), amara]) {
      expect(await requestBlock(caller, jonas)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await requestUnblock(caller, jonas)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
    expect(await sees(jonas, amara)).toBe(true);
  });
});

describe('DELETE /users/{userId}/block', () => {
  test('an unblock shows both users to each other and restores no follow', async () => {
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
    expect(await followCountsOf(amara)).toEqual({ followers: 1, following: 0 });
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

  test('pages hold 30 users by default, newest block first', async () => {
    const maya = await anonymousPerson(opine);
    const people = await Promise.all(Array.from({ length: 31 }, () => registeredPerson(opine)));
    for (const person of people) await block(maya, person);
    const pages = await allPages(maya, BLOCKS);
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
    expect(idsOf(pages.flat())).toEqual(idsOf(people).reverse());
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=foreign'])(
    'the query "%s" is refused',
    async (query) => {
      const maya = await anonymousPerson(opine);
      expect(await maya.get(`${BLOCKS}?${query}`)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    },
  );

  test('the list does not show who blocks the caller, and a guest gets 401', async () => {
    const [maya, jonas] = await pair();
    await block(maya, jonas);
    expect(await listedIds(jonas, BLOCKS)).toEqual([]);
    expect(await listedIds(maya, BLOCKS)).toEqual([jonas.id]);
    expect(await aGuest(opine).get(BLOCKS)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});

describe('a blocked pair', () => {
  const POST_NOT_FOUND = refusal(404, 'POST_NOT_FOUND');
  let amara: Person;
  let jonas: Person;

  beforeEach(async () => {
    [amara, jonas] = [await confirmedPerson(opine, 'Amara'), await confirmedPerson(opine, 'Jonas')];
  });

  /** Returns callers outside the pair, one of them with an invalid bearer. */
  const bystanders = async (): Promise<Client[]> => [
    aGuest(opine),
    clientOf(opine.url, 'no.good.token'),
    await anonymousPerson(opine),
    await registeredPerson(opine),
  ];

  describe.each(['blocker', 'blocked user'])('the %s', (role) => {
    let viewer: Person;
    let other: Person;
    let post: Json;

    beforeEach(async () => {
      [viewer, other] = role === 'blocker' ? [amara, jonas] : [jonas, amara];
      post = await aSlider(other);
    });

    test(`the ${role} cannot read a post of the other user, and everybody else can`, async () => {
      const paths = ['', '/vote/summary', '/vote/distribution'].map((rest) => `/posts/${post.id}${rest}`);
      const others = [...(await bystanders()), other];
      await block(amara, jonas);
      for (const path of paths) {
        expect(await viewer.get(path)).toMatchObject(POST_NOT_FOUND);
        for (const reader of others) expect((await reader.get(path)).status).toBe(200);
      }
    });

    test(`a vote of the ${role} stays counted and is hidden from them`, async () => {
      await castVote(viewer, post, 'right');
      await block(amara, jonas);
      expect(await castVote(viewer, post)).toMatchObject(POST_NOT_FOUND);
      expect(await myVote(viewer, post)).toMatchObject(POST_NOT_FOUND);
      expect(await countsOf(aGuest(opine), post)).toEqual([0, 0, 0, 1, 0]);
      await unblock(amara, jonas);
      expect((await myVote(viewer, post)).data.hasVoted).toBe(true);
    });
  });

  test('the blocker sees the profile of the blocked user without posts, and not the reverse', async () => {
    for (const author of [amara, jonas]) await aSlider(author);
    await block(amara, jonas);
    expect(await profileSeenBy(amara, jonas)).toMatchObject({
      id: jonas.id,
      activity: { posts: 0 },
      viewer: { blocking: true },
    });
    const paths = ['profile', 'followers', 'following'].map((rest) => `/users/${amara.id}/${rest}`);
    for (const name of [amara.username, amara.username.toUpperCase()])
      paths.push(`/users/by-username/${name}`);
    for (const path of paths) expect(await jonas.get(path)).toMatchObject(NOT_FOUND);
    for (const bystander of [aGuest(opine), await anonymousPerson(opine)]) {
      for (const person of [amara, jonas]) {
        expect((await profileSeenBy(bystander, person)).activity.posts).toBe(1);
      }
    }
  });
});
