import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import type { Position } from '../support/votes.ts';
import { type Attack, claimsBy, rightAmong } from './attacks.ts';
import { anAudience } from './audience.ts';
import { byOrder } from './indexes.ts';
import { bySeals } from './sealed.ts';
import { type Spoils, spoilsOf } from './spoils.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';
import { ballotsOfAll, cast, castAtOnce, LATE, truthOf } from './votes.ts';

let opine: Opine;
let truth: ReadonlyMap<string, Position>;
let spoils: Spoils;

beforeAll(async () => {
  opine = await startOpine(LATE);
  const { early } = ballotsOfAll(await anAudience(opine));
  truth = truthOf(early);
  await castAtOnce(early.slice(0, 8));
  await cast(early.slice(8));
  spoils = await spoilsOf(opine);
});

afterAll(() => opine.stop());

/** Attacks that succeed as long as nothing was folded, and how many of the votes they find at least. */
const SUCCESSFUL: readonly [name: string, attack: Attack, votes: number][] = [
  ['transactions of visible rows', byVisibleRows, 3],
  ['transactions of dead rows', byDeadRows, 10],
  ['the order of rows', byOrder, 8],
  ['what is sealed, where the key is known', (all) => bySeals(all, [PENDING_VOTE_KEY]), 8],
];

describe('before the fold', () => {
  test.each(SUCCESSFUL)('votes are found by %s', async (_, attack, votes) => {
    expect(rightAmong(await claimsBy(attack, spoils), truth)).toBeGreaterThanOrEqual(votes);
  });
});
