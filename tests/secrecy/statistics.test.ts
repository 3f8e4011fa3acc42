import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anOpine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { readAttackerView } from './attacker-view.ts';
import { claimsBy, countCorrect } from './attacks.ts';
import { aPoll } from './community.ts';
import { byStatistics, readCountStatistics } from './statistics.ts';
import { type Ballot, cast, DEFAULT_DELAY, fold, truthOf } from './votes.ts';

/** Counts the votes that stale statistics reveal after a vote that is folded alone; applies `change` to the column of counts. */
async function countRevealed(change?: string): Promise<[votes: number, columns: number]> {
  const opine = await anOpine(DEFAULT_DELAY);
  const { ada, voters } = await aPoll(opine, 6);
  const { superuser } = opine.database;
  if (change !== undefined) {
    await sql.raw(`alter table app.vote_pools alter column counts ${change}`).execute(superuser);
  }
  const [square, other] = [await aSlider(ada), await aSlider(ada)];
  const ballots = voters.map((voter, index): Ballot => {
    return { voter, post: square, position: index % 2 ? 'left' : 'right' };
  });
  await cast(ballots.slice(0, -1));
  // A table of one row has no statistics.
  await cast(voters.slice(0, 1).map((voter) => ({ voter, post: other, position: 'neutral' })));
  await fold(opine);
  await sql`analyze`.execute(superuser);
  await cast(ballots.slice(-1));
  await fold(opine);
  const view = await readAttackerView(opine);
  const kept = await readCountStatistics(view);
  return [countCorrect(await claimsBy(byStatistics, view), truthOf(ballots)), kept.length];
}

test('planner statistics hold no totals', async () => {
  expect(await countRevealed()).toEqual([0, 0]);
});

test('planner statistics with the default target reveal a vote that is folded alone', async () => {
  expect(await countRevealed('set statistics -1')).toEqual([1, 1]);
});
