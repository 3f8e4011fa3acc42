import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { readAttackerView } from './attacker-view.ts';
import { type Attack, claimsBy, countCorrect } from './attacks.ts';
import { advanceToNext, aPoll, type Poll } from './community.ts';
import { byOrder } from './indexes.ts';
import { byWords } from './records.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';
import {
  type Ballot,
  ballotsOf,
  cast,
  castConcurrently,
  DEFAULT_DELAY,
  fold,
  foldWithout,
  truthOf,
} from './votes.ts';

let opine: Opine;
let poll: Poll;

beforeAll(async () => {
  opine = await startOpine(DEFAULT_DELAY);
  poll = await aPoll(opine);
});

afterAll(() => opine.stop());

const execute = (statement: string) => sql.raw(statement).execute(opine.database.superuser);

/** Counts the votes that `attack` finds of twelve on a new post: eleven folded together, the last one alone. */
async function countFound(
  attack: Attack,
  foldVotes: (ballots: readonly Ballot[]) => Promise<unknown>,
): Promise<number> {
  const post = await aSlider(poll.ada);
  const ballots = ballotsOf(poll.voters, post);
  // The slots change tables twice a minute.
  await advanceToNext(opine, 'minute');
  await cast(ballots.slice(0, -1));
  await foldVotes(ballots);
  await cast(ballots.slice(-1));
  await foldVotes(ballots);
  const view = await readAttackerView(opine);
  const ofPost = { ...view, tallies: view.tallies.filter((tally) => tally.post === post.id) };
  const claims = await claimsBy(
    async (all) => (await attack(all)).filter(([one]) => one?.post === post.id),
    ofPost,
  );
  await fold(opine);
  return countCorrect(claims, truthOf(ballots));
}

const completeFold = () => fold(opine);
const foldSkipping =
  (...skipped: Parameters<typeof foldWithout>[1][]) =>
  () =>
    foldWithout(opine, ...skipped);

describe('the defences of a fold', () => {
  const attacks = { byVisibleRows, byDeadRows, byOrder, byWords };

  test.each(Object.entries(attacks))(
    'the attack %s finds no vote after a complete fold',
    async (_, attack) => {
      expect(await countFound(attack, completeFold)).toBe(0);
    },
  );

  test('dead rows reveal votes without the vacuum', async () => {
    expect(await countFound(byDeadRows, foldSkipping('vacuum'))).toBeGreaterThan(6);
  });

  test('dead rows reveal concurrent votes unless the fold empties the slots', async () => {
    const fresh = await anOpine(DEFAULT_DELAY);
    const { ada, voters } = await aPoll(fresh, 8);
    const ballots = ballotsOf(voters, await aSlider(ada));
    await castConcurrently(ballots);
    await foldWithout(fresh, 'pools');
    // Receipts are rewritten by then: dead rows of feed events have the transactions of the votes.
    expect(
      countCorrect(await claimsBy(byDeadRows, await readAttackerView(fresh)), truthOf(ballots)),
    ).toBeGreaterThan(3);
  });

  test('the order of dead slot rows reveals votes without a vacuum of the slots', async () => {
    expect(await countFound(byOrder, foldSkipping('app.vote_slots'))).toBeGreaterThan(6);
  });

  test('dead totals reveal a vote that was folded alone without a vacuum of the totals', async () => {
    expect(await countFound(byDeadRows, foldSkipping('app.vote_pools'))).toBe(1);
  });

  test('a column with the position in a table that names the voter reveals all votes', async () => {
    await execute('alter table app.vote_receipts add column position app.vote_position');
    const storePositions = async (ballots: readonly Ballot[]) => {
      for (const { voter, position } of ballots) {
        await execute(`update app.vote_receipts set position = '${position}' where user_id = '${voter.id}'`);
      }
    };
    expect(await countFound(byWords, storePositions)).toBe(12);
    await execute('alter table app.vote_receipts drop column position');
  });
});
