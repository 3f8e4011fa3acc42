import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Mutation, redefinitions } from '../support/mutations.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { ATTACKS, claimsBy } from './attacks.ts';
import { aRound, type Round } from './audience.ts';
import { spoilsOf } from './spoils.ts';
import { fold, foldWithout, LATE } from './votes.ts';
import { ordersGivenAway } from './watching.ts';

let opine: Opine;
let round: Round;

beforeAll(async () => {
  opine = await startOpine(LATE);
  round = await aRound(opine);
});

afterAll(() => opine.stop());

const asItIs = () => fold(opine);

/** Until the test ends, the database does as `mutation` says. */
async function mutated(mutation: Mutation): Promise<void> {
  const { mutate, restore } = redefinitions(mutation);
  await sql.raw(mutate).execute(opine.database.superuser);
  onTestFinished(async () => {
    await sql.raw(restore).execute(opine.database.superuser);
  });
}

describe('whoever watched the public totals finds their order in the database', () => {
  // Milestones are counted from the own vote on (docs/product.md N6), and so its rank is kept.
  test('nowhere but in what milestones are counted from', async () => {
    expect(await ordersGivenAway(round, asItIs)).toEqual(['app.vote_receipts.baseline']);
  });

  test('where receipts are written anew in the order of the votes', async () => {
    await mutated(['app.rank_votes', 'order by random()', 'order by t.place']);
    expect(await ordersGivenAway(round, asItIs)).toContain('app.vote_receipts.ctid');
  });

  test('where receipts are not written anew', async () => {
    const orders = await ordersGivenAway(round, () => foldWithout(opine, 'receipts'));
    expect(orders).toEqual(expect.arrayContaining(['app.vote_receipts.ctid', 'app.vote_receipts.xmin']));
    await fold(opine);
  });

  test('where acts are not written anew', async () => {
    const clause = "e.kind = 'voted' and e.lost_at is null";
    await mutated(['app.fold_receipts', clause, `${clause} and false`]);
    const orders = await ordersGivenAway(round, asItIs);
    expect(orders).toEqual(expect.arrayContaining(['app.feed_events.ctid', 'app.feed_events.xmin']));
  });

  test('where receipts have the time of the vote', async () => {
    await mutated(['app.count_vote', "date_trunc('minute', app.now())", 'clock_timestamp()']);
    const check = sql`alter table app.vote_receipts drop constraint vote_receipts_voted_at_is_coarse`;
    await check.execute(opine.database.superuser);
    expect(await ordersGivenAway(round, asItIs)).toContain('app.vote_receipts.voted_at');
  });

  test('where feeds show votes without delay', async () => {
    const swift = await anOpine({ VOTE_ACTIVITY_DELAY_SECONDS: '0-0' });
    const orders = await ordersGivenAway(await aRound(swift), () => fold(swift));
    expect(orders).toContain('app.feed_events.occurred_at');
    // Who has not watched finds nothing there either.
    const spoils = await spoilsOf(swift);
    for (const [name, attack] of ATTACKS) expect([name, await claimsBy(attack, spoils)]).toEqual([name, []]);
  });
});
