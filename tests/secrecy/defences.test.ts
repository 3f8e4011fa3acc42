import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { type Attack, claimsBy, rightAmong } from './attacks.ts';
import { aRound, type Round } from './audience.ts';
import { byOrder } from './indexes.ts';
import { byWords } from './records.ts';
import { spoilsOf } from './spoils.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';
import { type Ballot, ballotsOf, cast, castAtOnce, fold, foldWithout, LATE, truthOf } from './votes.ts';

let opine: Opine;
let round: Round;

beforeAll(async () => {
  opine = await startOpine(LATE);
  round = await aRound(opine);
});

afterAll(() => opine.stop());

const execute = (statement: string) => sql.raw(statement).execute(opine.database.superuser);

/**
 * How many votes on a new post `attack` finds, of twelve: of eleven that are folded together, and of one that comes
 * late and is folded alone.
 */
async function found(
  attack: Attack,
  folding: (ballots: readonly Ballot[]) => Promise<unknown>,
): Promise<number> {
  const post = await aSlider(round.ada);
  const ballots = ballotsOf(round.voters, post);
  await cast(ballots.slice(0, -1));
  await folding(ballots);
  await cast(ballots.slice(-1));
  await folding(ballots);
  const spoils = await spoilsOf(opine);
  const ofPost = { ...spoils, tallies: spoils.tallies.filter((tally) => tally.post === post.id) };
  const claims = await claimsBy(
    async (all) => (await attack(all)).filter(([one]) => one?.post === post.id),
    ofPost,
  );
  await fold(opine);
  return rightAmong(claims, truthOf(ballots));
}

const asItIs = () => fold(opine);
const without =
  (...left: Parameters<typeof foldWithout>[1][]) =>
  () =>
    foldWithout(opine, ...left);

describe('votes are found', () => {
  const attacks = { byVisibleRows, byDeadRows, byOrder, byWords };

  test.each(Object.entries(attacks))('by no attack (%s) where nothing is amiss', async (_, attack) => {
    expect(await found(attack, asItIs)).toBe(0);
  });

  test('by transactions where former rows stay', async () => {
    expect(await found(byDeadRows, without('vacuum'))).toBeGreaterThan(6);
  });

  test('by transactions where slots are not emptied, and have one vote each', async () => {
    const fresh = await anOpine(LATE);
    const { ada, voters } = await aRound(fresh, 8);
    const ballots = ballotsOf(voters, await aSlider(ada));
    await castAtOnce(ballots);
    await foldWithout(fresh, 'pools');
    // Receipts are written anew by then: it is former rows of acts that have the transactions of the votes.
    expect(rightAmong(await claimsBy(byDeadRows, await spoilsOf(fresh)), truthOf(ballots))).toBeGreaterThan(
      3,
    );
  });

  test('by the order of slots where their former rows stay', async () => {
    expect(await found(byOrder, without('app.vote_slots'))).toBeGreaterThan(6);
  });

  test('by the transaction beside it where former totals stay, if it came alone', async () => {
    expect(await found(byDeadRows, without('app.vote_pools'))).toBe(1);
  });

  test('by a word where a table has a column for it', async () => {
    await execute('alter table app.vote_receipts add column position app.vote_position');
    const keep = async (ballots: readonly Ballot[]) => {
      for (const { voter, position } of ballots) {
        await execute(`update app.vote_receipts set position = '${position}' where user_id = '${voter.id}'`);
      }
    };
    expect(await found(byWords, keep)).toBe(12);
    await execute('alter table app.vote_receipts drop column position');
  });
});
