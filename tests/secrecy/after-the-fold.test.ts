import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { place } from '../support/frames.ts';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aRegistered } from '../support/people.ts';
import { ATTACKS, claimsBy, rightAmong } from './attacks.ts';
import { type Audience, anAudience } from './audience.ts';
import { knownBy, voteOf } from './evidence.ts';
import { indexedCounts } from './indexes.ts';
import { bySeals, keysIn } from './sealed.ts';
import { type Spoils, spoilsOf } from './spoils.ts';
import { keptCounts, positionsInActivity } from './statistics.ts';
import { type Ballot, ballotsOf, ballotsOfAll, cast, castAtOnce, fold, LATE, truthOf } from './votes.ts';

/** With these a post has more than a hundred votes, and its author a milestone. */
const PASSERS_BY = 80;

let opine: Opine;
let audience: Audience;
let ballots: Ballot[];
let spoils: Spoils;

beforeAll(async () => {
  opine = await startOpine(LATE);
  audience = await anAudience(opine);
  const passersBy = await Promise.all(Array.from({ length: PASSERS_BY }, () => aRegistered(opine)));
  const { early, late } = ballotsOfAll(audience);
  const passing = ballotsOf(passersBy, audience.posts.square, 4);
  ballots = [...early, ...passing, ...late];
  await castAtOnce(passing);
  await cast(early);
  await analysed();
  await fold(opine);
  await analysed();
  await cast(late);
  await place(audience.ada, audience.posts.square, audience.hubs.oak);
  await fold(opine);
  await analysed();
  spoils = await spoilsOf(opine);
});

afterAll(() => opine.stop());

function analysed(): Promise<unknown> {
  return sql`analyze`.execute(opine.database.superuser);
}

/** The votes on a post that totals and receipts give away, and whether they are true. */
function implied(post: string): [number, boolean] {
  const truth = truthOf(ballots);
  const known = [...knownBy(spoils.tallies.filter((tally) => tally.post === post))];
  return [known.length, known.every(([user, position]) => truth.get(voteOf(post, user)) === position)];
}

describe('after the fold', () => {
  test('everything was counted, in every scope, and the author has a milestone', async () => {
    expect(spoils.receipts).toHaveLength(ballots.length);
    const { square, placed, locked } = audience.posts;
    const scopes = (post: string) => spoils.tallies.filter((tally) => tally.post === post).length;
    expect([square, placed, locked].map(({ id }) => scopes(id))).toEqual([2, 4, 2]);
    const { rows } = await sql`select from app.events where milestone_total = 100`.execute(
      opine.database.superuser,
    );
    expect(rows).toHaveLength(1);
  });

  test('totals and receipts imply the votes of those who are of one mind, and of no audience', () => {
    const { square, placed, locked } = audience.posts;
    expect(implied(square.id)).toEqual([0, true]);
    expect(implied(placed.id)).toEqual([0, true]);
    expect(implied(locked.id)).toEqual([4, true]);
  });

  test.each(ATTACKS)('no other vote is found by %s', async (_, attack) => {
    expect(await claimsBy(attack, spoils)).toEqual([]);
  });

  test('no other vote is found by all attacks together', async () => {
    const together = async () => (await Promise.all(ATTACKS.map(([, attack]) => attack(spoils)))).flat();
    expect(await claimsBy(together, spoils)).toEqual([]);
  });

  test('what is pending tells, by its hour, of those who came alone, but only whoever has the key', async () => {
    const claims = await claimsBy((all) => bySeals(all, [PENDING_VOTE_KEY]), spoils);
    expect(rightAmong(claims, truthOf(ballots))).toBeGreaterThan(0);
  });

  test('no statistics of counts are kept, no index holds them, nothing holds a key or shows a position', async () => {
    expect(await keptCounts(spoils)).toEqual([]);
    expect(await indexedCounts(spoils)).toEqual([]);
    expect(await keysIn(spoils)).toEqual([]);
    expect(await positionsInActivity(spoils)).toEqual([]);
  });
});
