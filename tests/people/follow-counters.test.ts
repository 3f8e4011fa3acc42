import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import {
  amid,
  amidMerge,
  follow,
  followedBy,
  followersOf,
  followsBetween,
  granted,
  mergeInto,
  profileSeenBy,
  requestBlock,
  requestFollow,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { expectOnceWorked } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Two with a phone, and four without, who may become part of them. */
const OWNERS = 2;
const PEOPLE = 6;

type Deed = 'follow' | 'unfollow' | 'block' | 'unblock';
/** What `who` does to `whom`: places among the people. */
interface Step {
  readonly deed: Deed | 'leave' | 'merge';
  readonly who: number;
  readonly whom: number;
}

const place = fc.nat({ max: PEOPLE - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      deed: fc.constantFrom<Deed>('follow', 'follow', 'follow', 'unfollow', 'block', 'unblock'),
      who: place,
      whom: place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ deed: fc.constant('leave' as const), who: place, whom: place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      deed: fc.constant('merge' as const),
      who: fc.integer({ min: OWNERS, max: PEOPLE - 1 }),
      whom: fc.nat({ max: OWNERS - 1 }),
    }),
  },
);
/** Steps one after the other, of which those of one group happen at once. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 10 });

/** Somebody new for each place, with their sessions. */
function newPeople(): Promise<Person[]> {
  const somebody = (_: unknown, index: number) => (index < OWNERS ? aConfirmed(opine) : aRegistered(opine));
  return Promise.all(Array.from({ length: PEOPLE }, somebody));
}

const DEEDS = {
  follow: (person: Client, { id }: Person) => person.post(`/users/${id}/follow`),
  unfollow: (person: Client, { id }: Person) => person.delete(`/users/${id}/follow`),
  block: (person: Client, { id }: Person) => person.post(`/users/${id}/block`),
  unblock: (person: Client, { id }: Person) => person.delete(`/users/${id}/block`),
  leave: (person: Client) => person.delete('/users/me'),
};

async function take(people: Person[], { deed, who, whom }: Step): Promise<void> {
  const [person, other] = [people[who], people[whom]];
  if (person === undefined || other === undefined) return;
  if (deed === 'merge') {
    // Whoever has left, or leaves at the same moment, is merged with nobody.
    people[whom] = await mergeInto(opine, person, other).catch(() => other);
    return;
  }
  const { status } = await DEEDS[deed](person, other);
  // What is not possible, or not any more, is refused, and breaks nothing.
  expect([200, 401, 403, 404, 409]).toContain(status);
}

/** Waits until the worker is done with whoever has left or become part of another. */
async function untilSettled(): Promise<void> {
  const open = async () => {
    const { rows } = await sql`select from app.account_deletions`.execute(opine.database.superuser);
    return rows.length;
  };
  const openAfterAWhile = async () => {
    // Longer than they settle, and than what lost a race is left alone.
    if ((await open()) > 0) await timePasses(opine, '3 minutes');
    return open();
  };
  await expectOnceWorked(opine, openAfterAWhile).toBe(0);
}

/** How many follow somebody and are followed by them, by their profile and by the lists; nothing where nobody is. */
async function apiResultOf(viewer: Client, person: Person): Promise<object> {
  const { status, data } = await viewer.get(`/users/${person.id}/profile`);
  if (status === 404) return {};
  const [followers, following] = [await followersOf(viewer, person), await followedBy(viewer, person)];
  expect(data.counts).toEqual({ followers: followers.length, following: following.length });
  return data.counts;
}

/** The same by the follows that are stored. */
async function storedOf({ id }: Person): Promise<object> {
  const { rows } = await sql<object>`
    select
      (select count(*)::int from app.follows where followee_id = ${id}) as followers,
      (select count(*)::int from app.follows where follower_id = ${id}) as following
    where exists (select from app.profiles where user_id = ${id})`.execute(opine.database.superuser);
  return rows[0] ?? {};
}

/** Follows that may not be: of oneself, of or by somebody who is gone, between two of whom one blocks the other. */
async function impossibleFollows(): Promise<object[]> {
  const { rows } = await sql<object>`
    select f.follower_id, f.followee_id from app.follows as f
    where f.follower_id = f.followee_id
      or exists (
        select from app.blocks as b
        where (b.blocker_id, b.blocked_id) in ((f.follower_id, f.followee_id), (f.followee_id, f.follower_id))
      )
      or exists (select from app.users as u where u.id in (f.follower_id, f.followee_id) and u.ended_at is not null)
  `.execute(opine.database.superuser);
  return rows;
}

async function expectExactCounts(people: Person[]): Promise<void> {
  await untilSettled();
  expect(await impossibleFollows()).toEqual([]);
  const viewer = await anAnonymous(opine);
  for (const person of people) expect(await apiResultOf(viewer, person)).toEqual(await storedOf(person));
  const wrong = await sql`
    select c.* from app.follow_counts as c
    where c.follower_count <> (select count(*) from app.follows as f where f.followee_id = c.user_id)
      or c.following_count <> (select count(*) from app.follows as f where f.follower_id = c.user_id)
  `.execute(opine.database.superuser);
  expect(wrong.rows).toEqual([]);
}

// Each run is a world of its own: to look for a smaller history would take minutes.
const RUNS = { numRuns: 5, endOnFailure: true };

test('counts are exact after whatever people do one after the other', async () => {
  const property = fc.asyncProperty(history, async (groups) => {
    const people = await newPeople();
    for (const step of groups.flat()) await take(people, step);
    await expectExactCounts(people);
  });
  await fc.assert(property, RUNS);
});

test('counts are exact after whatever people do at once', async () => {
  const property = fc.asyncProperty(history, async (groups) => {
    const people = await newPeople();
    for (const group of groups) await Promise.all(group.map((step) => take(people, step)));
    await expectExactCounts(people);
  });
  await fc.assert(property, RUNS);
});

test('counts are exact where those who follow leave and merge at the same moment', async () => {
  const people = await newPeople();
  const steps: Step[] = [
    { deed: 'follow', who: 2, whom: 3 },
    { deed: 'follow', who: 3, whom: 2 },
    { deed: 'follow', who: 4, whom: 0 },
    { deed: 'block', who: 0, whom: 4 },
    { deed: 'follow', who: 2, whom: 4 },
    { deed: 'merge', who: 2, whom: 0 },
    { deed: 'leave', who: 3, whom: 3 },
    { deed: 'follow', who: 5, whom: 2 },
    { deed: 'follow', who: 5, whom: 0 },
    { deed: 'follow', who: 1, whom: 3 },
    { deed: 'merge', who: 4, whom: 1 },
  ];
  await Promise.all(steps.map((step) => take(people, step)));
  await expectExactCounts(people);
});

/** Somebody with a phone, somebody without, and somebody else. */
const three = async (): Promise<[Person, Person, Person]> => [
  await aConfirmed(opine),
  await aRegistered(opine),
  await aRegistered(opine),
];

describe('in the middle of a merge no follow is left between two of whom one blocks the other:', () => {
  test.each(['blocks', 'is blocked by'])(
    'the owner of the phone %s whom a follow comes from',
    async (how) => {
      const [owner, guest, other] = await three();
      await follow(guest, other);
      await follow(other, guest);
      const { status } = await amidMerge(opine, guest, owner, () =>
        how === 'blocks' ? requestBlock(owner, other) : requestBlock(other, owner),
      );
      expect(status).toBe(200);
      expect(await followsBetween(opine, owner, other)).toEqual([]);
      await expectExactCounts([owner, other]);
    },
  );

  test.each(['follows', 'is followed by'])(
    'the owner of the phone %s whom a block comes from',
    async (how) => {
      for (const blocker of ['guest', 'other']) {
        const [owner, guest, other] = await three();
        await granted(blocker === 'guest' ? requestBlock(guest, other) : requestBlock(other, guest));
        const { status } = await amidMerge(opine, guest, owner, () =>
          how === 'follows' ? requestFollow(owner, other) : requestFollow(other, owner),
        );
        expect([200, 403, 404]).toContain(status);
        expect(await followsBetween(opine, owner, other)).toEqual([]);
        await expectExactCounts([owner, other]);
      }
    },
  );

  test('the worker moves a follow that came late, and meets a block', async () => {
    const [owner, guest, other] = await three();
    const merged = await mergeInto(opine, guest, owner);
    const { status } = await amid(
      opine,
      () => requestBlock(merged, other),
      async (worker) => {
        // As a request that began before the merge.
        await sql`insert into app.follows (follower_id, followee_id) values (${guest.id}, ${other.id})`.execute(
          worker,
        );
        await sql`select app.finish_account_deletion(${guest.id})`.execute(worker);
      },
    );
    expect(status).toBe(200);
    expect(await followsBetween(opine, owner, other)).toEqual([]);
    await expectExactCounts([owner, other]);
  });
});

test('whoever leaves takes their follows along, on both sides', async () => {
  const [maya, amara, jonas] = [await aRegistered(opine), await aRegistered(opine), await aRegistered(opine)];
  await follow(maya, amara, jonas);
  await follow(amara, maya, jonas);
  await amara.delete('/users/me');
  await expectExactCounts([maya, amara, jonas]);
  expect((await profileSeenBy(maya, maya)).counts).toEqual({ followers: 0, following: 1 });
  expect((await profileSeenBy(maya, jonas)).counts).toEqual({ followers: 1, following: 0 });
});
