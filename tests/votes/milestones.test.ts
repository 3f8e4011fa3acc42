import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudience, audienceVotes, type Voter } from '../support/audience.ts';
import { expectOk, type Json } from '../support/client.ts';
import { mergeInto } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson, type UserRef } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

/** `recipient` is notified of `count` votes when the post has `total`. */
interface Milestone {
  readonly recipient: string;
  readonly total: number;
  readonly count: number;
}

let opine: Opine;
let maya: Person;

/** Enough voters for every test: each votes once on a post. */
let audience: Voter[];

beforeAll(async () => {
  opine = await startOpine();
  audience = await anAudience(opine, 1200);
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await confirmedPerson(opine, 'Maya');
});

/** Returns the milestones of `post`, by total, count and recipient. */
async function milestonesOf({ id }: Json): Promise<Milestone[]> {
  const { rows } = await sql<Milestone>`
    select subject_id::text as recipient, milestone_total as total, milestone_count as count
    from app.events where type = 'post_vote_milestone' and post_id = ${id}
    order by milestone_total, milestone_count, subject_id`.execute(opine.database.superuser);
  return rows;
}

/** Returns total and count of each milestone of `post` for `recipient`. */
async function milestonesFor({ id }: UserRef, post: Json): Promise<number[][]> {
  const milestones = await milestonesOf(post);
  return milestones.filter(({ recipient }) => recipient === id).map(({ total, count }) => [total, count]);
}

const milestoneOfMaya = (total: number): Milestone => ({ recipient: maya.id, total, count: total });

/** Casts the votes of `count` of the audience from `first` on, one at a time by default. */
const castVotes = (post: Json, first: number, count: number, atOnce?: number) =>
  audienceVotes(opine, audience.slice(first, first + count), post, atOnce);

describe('vote milestones', () => {
  // docs/product.md N6
  test('an author is notified at every 100 votes, and a voter at every 500 after their own, across folds', async () => {
    const post = await aSlider(maya);
    const jonas = await registeredPerson(opine, 'Jonas');
    await castVotes(post, 0, 1);
    await expectOk(castVote(jonas, post));
    await castVotes(post, 1, 100);
    let others = 101;
    for (const next of [100, 298, 1, 1, 400, 201]) {
      await foldAllVotes(opine);
      await castVotes(post, others, next, 8);
      others += next;
      // 499 votes after his own are no milestone for Jonas.
      if (others === 500) expect(await milestonesFor(jonas, post)).toEqual([]);
    }
    await foldAllVotes(opine);

    const milestones = await milestonesOf(post);
    const early = [audience[0]?.id, jonas.id, ...audience.slice(1, 101).map(({ id }) => id)];
    for (const [index, id] of early.entries()) {
      const own = milestones.filter(({ recipient }) => recipient === id);
      expect(own.map(({ total, count }) => [total, count])).toEqual([
        [index + 501, 500],
        [index + 1001, 1000],
      ]);
    }
    const forVoters = milestones.filter(({ recipient }) => recipient !== maya.id);
    const upTo1103 = (first: number, count: number) =>
      Array.from({ length: 1104 - first }, (_, index) => `${first + index} ${count}`);
    expect(forVoters.map(({ total, count }) => `${total} ${count}`).sort()).toEqual(
      [...upTo1103(501, 500), ...upTo1103(1001, 1000)].sort(),
    );
    expect(new Set(forVoters.map(({ recipient, count }) => `${recipient} ${count}`)).size).toBe(
      forVoters.length,
    );
    expect(await milestonesFor(maya, post)).toEqual(
      Array.from({ length: 11 }, (_, index) => [100 * (index + 1), 100 * (index + 1)]),
    );
  });

  test('a voter is notified once when several workers fold concurrently', async () => {
    const post = await aSlider(maya);
    await castVotes(post, 0, 310, 8);
    await Promise.all([foldAllVotes(opine), foldAllVotes(opine), foldAllVotes(opine)]);
    await Promise.all([castVotes(post, 310, 300, 8), foldAllVotes(opine), foldAllVotes(opine)]);
    await Promise.all([foldAllVotes(opine), foldAllVotes(opine), foldAllVotes(opine)]);
    await foldAllVotes(opine);
    const milestones = await milestonesOf(post);
    const forMaya = milestones.filter(({ recipient }) => recipient === maya.id);
    expect(forMaya).toEqual([100, 200, 300, 400, 500, 600].map(milestoneOfMaya));
    const forVoters = milestones.filter(({ recipient }) => recipient !== maya.id);
    expect(new Set(forVoters.map(({ recipient }) => recipient)).size).toBe(110);
    expect(forVoters.map(({ total }) => total)).toEqual(
      Array.from({ length: 110 }, (_, index) => 501 + index),
    );
  });

  test('a voter with a deleted account is not notified, and the milestones of others do not change', async () => {
    const post = await aSlider(maya);
    const [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
    const noor = await registeredPerson(opine, 'Noor');
    for (const voter of [jonas, lena, noor]) await expectOk(castVote(voter, post));
    await expectOk(jonas.delete('/users/me'));
    await foldAllVotes(opine);
    await expectOk(lena.delete('/users/me'));
    await castVotes(post, 0, 500, 8);
    await foldAllVotes(opine);
    expect(await milestonesFor(jonas, post)).toEqual([]);
    expect(await milestonesFor(lena, post)).toEqual([]);
    expect(await milestonesFor(noor, post)).toEqual([[503, 500]]);
  });
});

describe.each([
  ['before their votes are folded', async () => {}],
  ['after their votes are folded', () => foldAllVotes(opine)],
])('a voter who merges into another user %s', (_, fold) => {
  test('the remaining user gets the milestones of both votes, each once', async () => {
    const [both, theirs] = [await aSlider(maya), await aSlider(maya)];
    const [jonas, known] = [await registeredPerson(opine, 'Jonas'), await confirmedPerson(opine, 'Known')];
    await expectOk(castVote(jonas, both));
    await expectOk(castVote(known, both));
    await expectOk(castVote(jonas, theirs));
    await fold();
    await mergeInto(opine, jonas, known);
    await castVotes(both, 0, 500, 8);
    await castVotes(theirs, 0, 500, 8);
    await foldAllVotes(opine);
    expect(await milestonesFor(known, both)).toEqual([[502, 500]]);
    expect(await milestonesFor(known, theirs)).toEqual([[501, 500]]);
    for (const post of [both, theirs]) expect(await milestonesFor(jonas, post)).toEqual([]);
  });
});
