import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { registeredPerson } from '../support/people.ts';
import { shareToHubs } from '../support/posts.ts';
import { type AttackerView, readAttackerView } from './attacker-view.ts';
import { ATTACKS, claimsBy, countCorrect } from './attacks.ts';
import { aCommunity, type Community } from './community.ts';
import { knownFrom, voteOf } from './evidence.ts';
import { indexedCounts } from './indexes.ts';
import { bySeals, keysIn } from './sealed.ts';
import { positionsInActivity, readCountStatistics } from './statistics.ts';
import {
  type Ballot,
  ballotsOf,
  ballotsOfAll,
  cast,
  castConcurrently,
  DEFAULT_DELAY,
  fold,
  truthOf,
} from './votes.ts';

/** Lifts a post over 100 votes, so that its author has a milestone. */
const EXTRA_VOTERS = 80;

let opine: Opine;
let community: Community;
let ballots: Ballot[];
let view: AttackerView;

beforeAll(async () => {
  opine = await startOpine(DEFAULT_DELAY);
  community = await aCommunity(opine);
  const extraVoters = await Promise.all(Array.from({ length: EXTRA_VOTERS }, () => registeredPerson(opine)));
  const { early, late } = ballotsOfAll(community);
  const extra = ballotsOf(extraVoters, community.posts.square, 4);
  ballots = [...early, ...extra, ...late];
  await castConcurrently(extra);
  await cast(early);
  await analyze();
  await fold(opine);
  await analyze();
  await cast(late);
  await shareToHubs(community.ada, community.posts.square, community.hubs.oak);
  await fold(opine);
  await analyze();
  view = await readAttackerView(opine);
});

afterAll(() => opine.stop());

function analyze(): Promise<unknown> {
  return sql`analyze`.execute(opine.database.superuser);
}

/** Counts the votes on a post that totals and receipts imply, and says whether all are correct. */
function implied(post: string): [number, boolean] {
  const truth = truthOf(ballots);
  const votes = [...knownFrom(view.tallies.filter((tally) => tally.post === post))];
  return [votes.length, votes.every(([user, position]) => truth.get(voteOf(post, user)) === position)];
}

describe('the database after a fold', () => {
  test('every vote has a receipt, every scope has totals and the author has a milestone', async () => {
    expect(view.receipts).toHaveLength(ballots.length);
    const { square, placed, locked } = community.posts;
    const scopes = (post: string) => view.tallies.filter((tally) => tally.post === post).length;
    expect([square, placed, locked].map(({ id }) => scopes(id))).toEqual([2, 4, 2]);
    const { rows } = await sql`select from app.events where milestone_total = 100`.execute(
      opine.database.superuser,
    );
    expect(rows).toHaveLength(1);
  });

  test('totals and receipts imply votes of a unanimous Hub only', () => {
    const { square, placed, locked } = community.posts;
    expect(implied(square.id)).toEqual([0, true]);
    expect(implied(placed.id)).toEqual([0, true]);
    expect(implied(locked.id)).toEqual([4, true]);
  });

  // docs/product.md V16
  test.each(ATTACKS)('an attack by %s finds no other vote', async (_, attack) => {
    expect(await claimsBy(attack, view)).toEqual([]);
  });

  // docs/product.md V16
  test('all attacks combined find no other vote', async () => {
    const together = async () => (await Promise.all(ATTACKS.map(([, attack]) => attack(view)))).flat();
    expect(await claimsBy(together, view)).toEqual([]);
  });

  test('an attacker with the key finds waiting votes that are alone in their hour', async () => {
    const claims = await claimsBy((all) => bySeals(all, [PENDING_VOTE_KEY]), view);
    expect(countCorrect(claims, truthOf(ballots))).toBeGreaterThan(0);
  });

  test('planner statistics and indexes hold no counts, and nothing holds a key or a position', async () => {
    expect(await readCountStatistics(view)).toEqual([]);
    expect(await indexedCounts(view)).toEqual([]);
    expect(await keysIn(view)).toEqual([]);
    expect(await positionsInActivity(view)).toEqual([]);
  });
});
