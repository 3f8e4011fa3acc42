import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Position } from '../support/votes.ts';
import { type AttackerView, readAttackerView } from './attacker-view.ts';
import { type Attack, claimsBy, countCorrect } from './attacks.ts';
import { aCommunity } from './community.ts';
import { byOrder } from './indexes.ts';
import { bySeals } from './sealed.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';
import { ballotsOfAll, cast, castConcurrently, DEFAULT_DELAY, truthOf } from './votes.ts';

let opine: Opine;
let truth: ReadonlyMap<string, Position>;
let view: AttackerView;

beforeAll(async () => {
  opine = await startOpine(DEFAULT_DELAY);
  const { early } = ballotsOfAll(await aCommunity(opine));
  truth = truthOf(early);
  await castConcurrently(early.slice(0, 8));
  await cast(early.slice(8));
  view = await readAttackerView(opine);
});

afterAll(() => opine.stop());

/** Attacks that succeed before a fold, with the least number of votes that they find. */
const SUCCESSFUL: readonly [name: string, attack: Attack, votes: number][] = [
  ['transactions of visible rows', byVisibleRows, 3],
  ['transactions of dead rows', byDeadRows, 10],
  ['the order of rows', byOrder, 8],
  ['sealed votes with a known key', (all) => bySeals(all, [PENDING_VOTE_KEY]), 8],
];

describe('the database before a fold', () => {
  test.each(SUCCESSFUL)('an attack by %s finds votes', async (_, attack, votes) => {
    expect(countCorrect(await claimsBy(attack, view), truth)).toBeGreaterThanOrEqual(votes);
  });
});
