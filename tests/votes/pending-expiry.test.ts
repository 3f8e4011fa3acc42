import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, refusal } from '../support/client.ts';
import { aHub, aMemberOf, join } from '../support/hubs.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, signedInAfter } from '../support/people.ts';
import { aSlider, type Post, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Hours from the hour of a vote to its deadline (docs/product.md V7). */
const KEPT = 337;

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Moves the clock to `hours` and `minutes` after `start` and signs `people` in again. */
async function at<People extends readonly Person[]>(
  start: number,
  hours: number,
  minutes: number,
  ...people: People
) {
  const milliseconds = start + hours * HOUR + minutes * MINUTE - (await currentTime(opine)).getTime();
  return signedInAfter(opine, `${milliseconds} milliseconds`, ...people);
}

/** Creates two Hubs of Amara's with Jonas and Lena, and a post in neither; `start` is the next full hour. */
async function aWorld() {
  const amara = await hubReadyPerson(opine, 'Amara');
  const [hub, oak] = [await aHub(amara), await aHub(amara, { name: 'Oak Street' })];
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  const lena = await aMemberOf(opine, amara, hub, 'Lena');
  await join(amara, oak, [jonas, lena]);
  const post = await aSlider(await confirmedPerson(opine));
  const start = Math.ceil((await currentTime(opine)).getTime() / HOUR) * HOUR;
  return { start, hub, oak, amara, jonas, lena, post };
}

async function pendingOf({ id }: Post): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from app.pending_ballots where post_id = ${id})
      + (select count(*) from app.pending_totals where post_id = ${id}))::integer as count
  `.execute(opine.database.superuser);
  return rows[0]?.count ?? Number.NaN;
}

async function receiptsOf({ id }: Post): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from app.vote_receipts where post_id = ${id}
  `.execute(opine.database.superuser);
  return rows[0]?.count ?? Number.NaN;
}

const prunePendingTotals = () => sql`select app.prune_pending_totals()`.execute(opine.database.superuser);

describe.each([
  ['folded', () => foldAllVotes(opine)],
  ['unfolded', async () => {}],
])('%s waiting votes', (_, fold) => {
  describe.each([
    ['at the beginning of an hour', 1],
    ['at the end of an hour', 57],
  ])('a vote %s', (_, minute) => {
    test('a share within 337 hours of the hour of the vote counts the vote for good', async () => {
      const { start, hub, oak, post, ...people } = await aWorld();
      let [amara, jonas] = await at(start, 0, minute, people.amara, people.jonas);
      await expectOk(castVote(jonas, post, 'left'));
      await fold();
      [amara, jonas] = await at(start, KEPT, -2, amara, jonas);
      await shareToHubs(amara, post, hub);
      expect(await countsOf(jonas, post, hub)).toEqual([0, 1, 0, 0, 0]);

      [amara, jonas] = await at(start, KEPT, 1, amara, jonas);
      await shareToHubs(amara, post, oak);
      await foldAllVotes(opine);
      expect(await countsOf(jonas, post, oak)).toEqual([]);
      expect(await countsOf(jonas, post, hub)).toEqual([0, 1, 0, 0, 0]);
    });

    test('a share after 337 hours does not count the vote', async () => {
      const { start, hub, post, ...people } = await aWorld();
      let [amara, jonas] = await at(start, 0, minute, people.amara, people.jonas);
      await expectOk(castVote(jonas, post, 'left'));
      await fold();
      [amara, jonas] = await at(start, KEPT, 1, amara, jonas);
      await shareToHubs(amara, post, hub);
      expect(await countsOf(jonas, post, hub)).toEqual([]);
      await foldAllVotes(opine);
      expect(await countsOf(jonas, post, hub)).toEqual([]);
      expect(await countsOf(jonas, post)).toEqual([0, 1, 0, 0, 0]);
    });
  });

  test('votes of two hours expire an hour apart', async () => {
    const { start, hub, post, ...people } = await aWorld();
    let [amara, jonas, lena] = await at(start, 0, 30, people.amara, people.jonas, people.lena);
    await expectOk(castVote(jonas, post, 'left'));
    await fold();
    [amara, jonas, lena] = await at(start, 1, 30, amara, jonas, lena);
    await expectOk(castVote(lena, post, 'strong_right'));
    await fold();
    [amara] = await at(start, KEPT, 30, amara);
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 0, 1]);
  });

  test('expired votes are deleted, and their voters still cannot vote again', async () => {
    const { start, hub, post, ...people } = await aWorld();
    let [amara, jonas] = await at(start, 0, 10, people.amara, people.jonas);
    await expectOk(castVote(jonas, post, 'left'));
    await fold();
    const before = (await myVote(jonas, post)).data;
    [amara, jonas] = await at(start, KEPT, -2, amara, jonas);
    await prunePendingTotals();
    expect(await pendingOf(post)).toBeGreaterThan(0);
    [amara, jonas] = await at(start, KEPT, 1, amara, jonas);
    await prunePendingTotals();
    expect(await pendingOf(post)).toBe(0);

    expect(await receiptsOf(post)).toBe(1);
    expect((await myVote(jonas, post)).data).toEqual(before);
    expect(before.hasVoted).toBe(true);
    expect(await countsOf(amara, post)).toEqual([0, 1, 0, 0, 0]);
    const voteAgain = () => castVote(jonas, post, 'right');
    expect(await voteAgain()).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    await shareToHubs(amara, post, hub);
    expect(await voteAgain()).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    expect(await countsOf(amara, post, hub)).toEqual([]);
    expect(await countsOf(amara, post)).toEqual([0, 1, 0, 0, 0]);
  });

  test('votes that a share counted in time stay when the worker deletes those of other Hubs', async () => {
    const { start, hub, oak, post, ...people } = await aWorld();
    let [amara, jonas, lena] = await at(start, 0, 10, people.amara, people.jonas, people.lena);
    await expectOk(castVote(jonas, post, 'left'));
    await fold();
    await shareToHubs(amara, post, hub);
    [amara, jonas, lena] = await at(start, KEPT, 1, amara, jonas, lena);
    await prunePendingTotals();
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
    await shareToHubs(amara, post, oak);
    await expectOk(castVote(lena, post, 'right'));
    expect(await countsOf(amara, post, oak)).toEqual([0, 0, 0, 1, 0]);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
  });
});
