import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anOpine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { POSITIONS } from '../support/votes.ts';
import { claimsBy, rightAmong } from './attacks.ts';
import { aRound } from './audience.ts';
import { spoilsOf } from './spoils.ts';
import { byStatistics, keptCounts } from './statistics.ts';
import { type Ballot, cast, fold, LATE, truthOf } from './votes.ts';

/** How many votes former totals give away after a vote that came alone; `change` is made to every column of counts. */
async function foundWith(change?: string): Promise<[votes: number, columns: number]> {
  const opine = await anOpine(LATE);
  const { ada, voters } = await aRound(opine, 6);
  const { superuser } = opine.database;
  if (change !== undefined) {
    const columns = POSITIONS.map((position) => `alter column ${position}_count ${change}`);
    await sql.raw(`alter table app.vote_pools ${columns}`).execute(superuser);
  }
  const [square, other] = [await aSlider(ada), await aSlider(ada)];
  const ballots = voters.map((voter, index): Ballot => {
    return { voter, post: square, position: index % 2 ? 'left' : 'right' };
  });
  await cast(ballots.slice(0, -1));
  // Of a table of one row nothing is kept.
  await cast(voters.slice(0, 1).map((voter) => ({ voter, post: other, position: 'neutral' })));
  await fold(opine);
  await sql`analyze`.execute(superuser);
  await cast(ballots.slice(-1));
  await fold(opine);
  const spoils = await spoilsOf(opine);
  const kept = await keptCounts(spoils);
  return [rightAmong(await claimsBy(byStatistics, spoils), truthOf(ballots)), kept.length];
}

test('former totals are not kept by the planner', async () => {
  expect(await foundWith()).toEqual([0, 0]);
});

test('a vote that came alone would be found by those it keeps of other columns', async () => {
  expect(await foundWith('set statistics -1')).toEqual([1, POSITIONS.length]);
});
