import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Mutation, redefinitions } from '../support/mutations.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { readAttackerView } from './attacker-view.ts';
import { ATTACKS, claimsBy } from './attacks.ts';
import { aPoll, type Poll } from './community.ts';
import { findRevealingOrders } from './observer.ts';
import { DEFAULT_DELAY, fold, foldWithout } from './votes.ts';

let opine: Opine;
let poll: Poll;

beforeAll(async () => {
  opine = await startOpine(DEFAULT_DELAY);
  poll = await aPoll(opine);
});

afterAll(() => opine.stop());

const completeFold = () => fold(opine);

/** Applies `mutation` to the database until the test ends. */
async function mutateUntilTestEnds(mutation: Mutation): Promise<void> {
  const { mutate, restore } = redefinitions(mutation);
  await sql.raw(mutate).execute(opine.database.superuser);
  onTestFinished(async () => {
    await sql.raw(restore).execute(opine.database.superuser);
  });
}

describe('an observer of the public totals', () => {
  // A voter's milestones count from their own vote (docs/product.md N6), so the receipt keeps its rank.
  test('the baseline of receipts is the only order that reveals votes', async () => {
    expect(await findRevealingOrders(poll, completeFold)).toEqual(['app.vote_receipts.baseline']);
  });

  test('receipts that are rewritten in the order of votes reveal the votes', async () => {
    await mutateUntilTestEnds(['app.rank_votes', 'order by random()', 'order by t.place']);
    expect(await findRevealingOrders(poll, completeFold)).toContain('app.vote_receipts.ctid');
  });

  test('receipts that are not rewritten reveal the votes', async () => {
    const orders = await findRevealingOrders(poll, () => foldWithout(opine, 'receipts'));
    expect(orders).toEqual(expect.arrayContaining(['app.vote_receipts.ctid', 'app.vote_receipts.xmin']));
    await fold(opine);
  });

  test('rate limits of voters that are not rewritten reveal the votes', async () => {
    await mutateUntilTestEnds(['app.fold_receipts', "l.kind = 'votes'", 'false']);
    const orders = await findRevealingOrders(poll, completeFold);
    expect(orders).toEqual(expect.arrayContaining(['app.rate_limits.ctid', 'app.rate_limits.xmin']));
  });

  test('receipts with exact times reveal the votes', async () => {
    await mutateUntilTestEnds(['app.count_vote', "date_trunc('minute', app.now())", 'clock_timestamp()']);
    const check = sql`alter table app.vote_receipts drop constraint vote_receipts_voted_at_is_coarse`;
    await check.execute(opine.database.superuser);
    expect(await findRevealingOrders(poll, completeFold)).toContain('app.vote_receipts.voted_at');
  });

  test('feeds without a delay reveal the votes to an observer only', async () => {
    const undelayed = await anOpine({ VOTE_ACTIVITY_DELAY_SECONDS: '0-0' });
    const orders = await findRevealingOrders(await aPoll(undelayed), () => fold(undelayed));
    expect(orders).toContain('app.feed_events.occurred_at');
    // The same database reveals nothing to an attacker who did not observe.
    const view = await readAttackerView(undelayed);
    for (const [name, attack] of ATTACKS) expect([name, await claimsBy(attack, view)]).toEqual([name, []]);
  });
});
