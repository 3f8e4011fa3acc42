import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk } from '../support/client.ts';
import {
  follow,
  followedBy,
  followersOf,
  followsBetween,
  mergeInto,
  requestBlock,
  requestFollow,
} from '../support/graph.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { duringMerge, duringTransaction } from '../support/races.ts';
import { expectAfterWorker } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** The number of users with a phone; the others may be merged into them. */
const OWNERS = 2;
const PEOPLE = 6;

type Action = 'follow' | 'unfollow' | 'block' | 'unblock';
/** An action of one user on another, both by their index. */
interface Step {
  readonly action: Action | 'leave' | 'merge';
  readonly who: number;
  readonly whom: number;
}

const place = fc.nat({ max: PEOPLE - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      action: fc.constantFrom<Action>('follow', 'follow', 'follow', 'unfollow', 'block', 'unblock'),
      who: place,
      whom: place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('leave' as const), who: place, whom: place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      action: fc.constant('merge' as const),
      who: fc.integer({ min: OWNERS, max: PEOPLE - 1 }),
      whom: fc.nat({ max: OWNERS - 1 }),
    }),
  },
);

/** Groups of steps; the groups are sequential, the steps of a group concurrent. */
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 4, maxLength: 10 });

/** Creates a user for each index. */
function newPeople(): Promise<Person[]> {
  const somebody = (_: unknown, index: number) =>
    index < OWNERS ? confirmedPerson(opine) : registeredPerson(opine);
  return Promise.all(Array.from({ length: PEOPLE }, somebody));
}

const ACTIONS = {
  follow: (person: Client, { id }: Person) => person.post(`/users/${id}/follow`),
  unfollow: (person: Client, { id }: Person) => person.delete(`/users/${id}/follow`),
  block: (person: Client, { id }: Person) => person.post(`/users/${id}/block`),
  unblock: (person: Client, { id }: Person) => person.delete(`/users/${id}/block`),
  leave: (person: Client) => person.delete('/users/me'),
};

async function take(people: Person[], { action, who, whom }: Step): Promise<void> {
  const [person, other] = [people[who], people[whom]];
  if (person === undefined || other === undefined) return;
  if (action === 'merge') {
    // A user who has left, or leaves at the same moment, cannot be merged.
    people[whom] = await mergeInto(opine, person, other).catch(() => other);
    return;
  }
  const { status } = await ACTIONS[action](person, other);
  // The API refuses an impossible action and does not fail.
  expect([200, 401, 403, 404, 409]).toContain(status);
}

/** Waits until the worker has finished all account deletions and merges. */
async function waitUntilSettled(): Promise<void> {
  const open = async () => {
    const { rows } = await sql`select from app.account_deletions`.execute(opine.database.superuser);
    return rows.length;
  };
  const openAfterDelay = async () => {
    // Longer than a lease and than the delay after a lost race.
    if ((await open()) > 0) await advanceTime(opine, '3 minutes');
    return open();
  };
  await expectAfterWorker(opine, openAfterDelay).toBe(0);
}

/** Returns the counts of the profile, which must equal the lengths of the lists; an empty object if there is no profile. */
async function apiResultOf(viewer: Client, person: Person): Promise<object> {
  const { status, data } = await viewer.get(`/users/${person.id}/profile`);
  if (status === 404) return {};
  const [followers, following] = [await followersOf(viewer, person), await followedBy(viewer, person)];
  expect(data.counts).toEqual({ followers: followers.length, following: following.length });
  return data.counts;
}

/** Returns the counts by the stored follows. */
async function storedOf({ id }: Person): Promise<object> {
  const { rows } = await sql<object>`
    select
      (select count(*)::int from app.follows where followee_id = ${id}) as followers,
      (select count(*)::int from app.follows where follower_id = ${id}) as following
    where exists (select from app.profiles where user_id = ${id})`.execute(opine.database.superuser);
  return rows[0] ?? {};
}

/** Returns stored follows of oneself, of an ended account or across a block. */
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
  await waitUntilSettled();
  expect(await impossibleFollows()).toEqual([]);
  const viewer = await anonymousPerson(opine);
  for (const person of people) expect(await apiResultOf(viewer, person)).toEqual(await storedOf(person));
  const wrong = await sql`
    select c.* from app.follow_counts as c
    where c.follower_count <> (select count(*) from app.follows as f where f.followee_id = c.user_id)
      or c.following_count <> (select count(*) from app.follows as f where f.follower_id = c.user_id)
  `.execute(opine.database.superuser);
  expect(wrong.rows).toEqual([]);
}

// Shrinking a failed history would take minutes.
const RUNS = { numRuns: 5, endOnFailure: true };

test('follow counts are exact after sequential actions of six users', async () => {
  const property = fc.asyncProperty(history, async (groups) => {
    const people = await newPeople();
    for (const step of groups.flat()) await take(people, step);
    await expectExactCounts(people);
  });
  await fc.assert(property, RUNS);
});

test('follow counts are exact after concurrent actions of six users', async () => {
  const property = fc.asyncProperty(history, async (groups) => {
    const people = await newPeople();
    for (const group of groups) await Promise.all(group.map((step) => take(people, step)));
    await expectExactCounts(people);
  });
  await fc.assert(property, RUNS);
});

test('follow counts are exact after concurrent follows, blocks, merges and account deletions', async () => {
  const people = await newPeople();
  const steps: Step[] = [
    { action: 'follow', who: 2, whom: 3 },
    { action: 'follow', who: 3, whom: 2 },
    { action: 'follow', who: 4, whom: 0 },
    { action: 'block', who: 0, whom: 4 },
    { action: 'follow', who: 2, whom: 4 },
    { action: 'merge', who: 2, whom: 0 },
    { action: 'leave', who: 3, whom: 3 },
    { action: 'follow', who: 5, whom: 2 },
    { action: 'follow', who: 5, whom: 0 },
    { action: 'follow', who: 1, whom: 3 },
    { action: 'merge', who: 4, whom: 1 },
  ];
  await Promise.all(steps.map((step) => take(people, step)));
  await expectExactCounts(people);
});

/** Creates the owner of a phone, a user without a phone and another user. */
const three = async (): Promise<[Person, Person, Person]> => [
  await confirmedPerson(opine),
  await registeredPerson(opine),
  await registeredPerson(opine),
];

describe('an uncommitted merge', () => {
  test.each(['blocks', 'is blocked by'])(
    'no follow is left if the owner of the phone %s the other side of a moved follow',
    async (how) => {
      const [owner, guest, other] = await three();
      await follow(guest, other);
      await follow(other, guest);
      const { status } = await duringMerge(opine, guest, owner, () =>
        how === 'blocks' ? requestBlock(owner, other) : requestBlock(other, owner),
      );
      expect(status).toBe(200);
      expect(await followsBetween(opine, owner, other)).toEqual([]);
      await expectExactCounts([owner, other]);
    },
  );

  test.each(['follows', 'is followed by'])(
    'no follow is left if the owner of the phone %s the other side of a moved block',
    async (how) => {
      for (const blocker of ['guest', 'other']) {
        const [owner, guest, other] = await three();
        await expectOk(blocker === 'guest' ? requestBlock(guest, other) : requestBlock(other, guest));
        const { status } = await duringMerge(opine, guest, owner, () =>
          how === 'follows' ? requestFollow(owner, other) : requestFollow(other, owner),
        );
        expect([200, 403, 404]).toContain(status);
        expect(await followsBetween(opine, owner, other)).toEqual([]);
        await expectExactCounts([owner, other]);
      }
    },
  );

  test('a late follow that the worker moves is dropped if a block comes first', async () => {
    const [owner, guest, other] = await three();
    const merged = await mergeInto(opine, guest, owner);
    const { status } = await duringTransaction(
      opine,
      () => requestBlock(merged, other),
      async (worker) => {
        // Stands for a request that began before the merge.
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
