import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { expectOk } from '../support/client.ts';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import type { Opine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import type { Post } from '../support/posts.ts';
import { POSITIONS, type Position } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';
import { type Community, pauseFolds } from './community.ts';
import { voteOf } from './evidence.ts';

/** A vote of the test: the truth that an attack has to find. */
export interface Ballot {
  readonly voter: Person;
  readonly post: Post;
  readonly position: Position;
}

/** An environment with the default delay of votes in feeds. */
export const DEFAULT_DELAY: Environment = { VOTE_ACTIVITY_DELAY_SECONDS: '300-1800' };

/** Fewer than the connections of the API, so that each concurrent vote has its own backend. */
const CONCURRENCY = 8;

/** Creates shuffled ballots of `voters` on `post` with at least three different positions. */
export function ballotsOf(voters: readonly Person[], post: Post, seed = 1): Ballot[] {
  const random = seededRandom(seed);
  const shuffled = voters
    .map((voter) => ({ voter, key: random() }))
    .sort((one, other) => one.key - other.key);
  return shuffled.map(({ voter }, index) => {
    const position = POSITIONS[index < 3 ? index * 2 : Math.floor(random() * POSITIONS.length)] ?? 'neutral';
    return { voter, post, position };
  });
}

/** Casts ballots one after the other and calls `onCast` after each. */
export async function cast(ballots: readonly Ballot[], onCast?: (ballot: Ballot) => unknown): Promise<void> {
  for (const ballot of ballots) {
    // Some clients send an idempotency key with every request.
    const headers = { 'idempotency-key': `vote-${ballot.post.id}` };
    const { voter, post, position } = ballot;
    await expectOk(voter.post(`/posts/${post.id}/vote`, { position }, { headers }));
    await onCast?.(ballot);
  }
}

/** Casts ballots concurrently, so that several backends count at the same time. */
export async function castConcurrently(ballots: readonly Ballot[]): Promise<void> {
  for (let start = 0; start < ballots.length; start += CONCURRENCY) {
    await Promise.all(ballots.slice(start, start + CONCURRENCY).map((ballot) => cast([ballot])));
  }
}

/** Folds votes as the worker does, then pauses folds again. */
export async function fold(opine: Opine): Promise<void> {
  const { superuser } = opine.database;
  await sql`grant execute on function app.fold_pools(smallint) to opine_worker`.execute(superuser);
  await waitForOldSnapshots(opine);
  await foldAllVotes(opine);
  // A fold leaves rows that an old snapshot still sees to the next one.
  for (let attempt = 0; attempt < 5 && (await hasPages(opine)); attempt += 1) await foldAllVotes(opine);
  await pauseFolds(opine);
}

async function hasPages({ database }: Opine): Promise<boolean> {
  const { rows } = await sql<{ size: number }>`
    select sum(pg_relation_size(name::regclass))::integer as size
    from unnest(${EMPTIED.map((name) => `app.${name}`)}::text[]) as name`.execute(database.superuser);
  return rows[0]?.size !== 0;
}

const EMPTIED = ['vote_slots_even', 'vote_slots_odd', 'pending_ballots', 'fresh_votes', 'promotions'];

/** The steps of a fold. */
export type Step = 'pools' | 'ballots' | 'receipts' | 'vacuum';

const TABLES = [
  'vote_slots',
  'pending_ballots',
  'fresh_votes',
  'promotions',
  'vote_pools',
  'pending_totals',
  'vote_receipts',
];

/** Folds votes without the `skipped` steps, or without the vacuum of the `skipped` tables. */
export async function foldWithout(opine: Opine, ...skipped: (Step | `app.${string}`)[]): Promise<void> {
  const { superuser } = opine.database;
  const runs = (step: Step) => !skipped.includes(step);
  if (runs('pools'))
    await sql`select app.fold_pools(0::smallint), app.fold_pools(1::smallint)`.execute(superuser);
  if (runs('ballots')) await sql`select app.fold_ballots(${[PENDING_VOTE_KEY]}::text[])`.execute(superuser);
  if (runs('receipts')) await sql`select app.fold_receipts()`.execute(superuser);
  if (!runs('vacuum')) return;
  await waitForOldSnapshots(opine);
  for (const table of TABLES.map((name) => `app.${name}` as const)) {
    if (!skipped.includes(table)) await sql`vacuum ${sql.table(table)}`.execute(superuser);
  }
}

/** Waits until no transaction has an old snapshot, for which a vacuum would keep dead rows. */
async function waitForOldSnapshots({ database }: Opine): Promise<void> {
  const isQuiet = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and num_nonnulls(backend_xid, backend_xmin) > 0
    `.execute(database.superuser);
    return rows.length === 0;
  };
  await vi.waitUntil(isQuiet, { timeout: 60_000 });
}

/**
 * Creates the ballots of an audience, with one late ballot for each post: everybody votes on `square`, members and five
 * guests on `placed`, members of its Hubs on `locked`, where `unison` is unanimous.
 */
export function ballotsOfAll({ members, guests, posts }: Community): { early: Ballot[]; late: Ballot[] } {
  const inUnison = members.slice(-4);
  const all = [
    ballotsOf([...members, ...guests], posts.square, 1),
    ballotsOf([...members, ...guests.slice(0, 5)], posts.placed, 2),
    ballotsOf(members.slice(0, 10), posts.locked, 3),
  ];
  const unanimous = inUnison.map((voter): Ballot => ({ voter, post: posts.locked, position: 'right' }));
  return {
    early: [...all.flatMap((some) => some.slice(0, -1)), ...unanimous],
    late: all.flatMap((some) => some.slice(-1)),
  };
}

/** Returns the true position of each vote, to measure an attack. */
export function truthOf(ballots: readonly Ballot[]): ReadonlyMap<string, Position> {
  return new Map(ballots.map(({ voter, post, position }) => [voteOf(post.id, voter.id), position]));
}

/** Returns a seeded generator of numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
