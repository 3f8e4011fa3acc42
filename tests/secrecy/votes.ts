import { sql } from 'kysely';
import { vi } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { votesAreFolded } from '../support/fold.ts';
import type { Post } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { PENDING_VOTE_KEY } from '../support/keys.ts';
import type { Opine } from '../support/opine.ts';
import type { Person } from '../support/people.ts';
import { POSITIONS, type Position } from '../support/votes.ts';
import { type Audience, foldsWait } from './audience.ts';
import { voteOf } from './evidence.ts';

/** A vote as it is really cast. */
export interface Ballot {
  readonly voter: Person;
  readonly post: Post;
  readonly position: Position;
}

/** The environment of an Opine whose feeds show votes as late as they do by themselves. */
export const LATE: Environment = { VOTE_ACTIVITY_DELAY_SECONDS: '300-1800' };

/** Fewer than the connections of the API, so that each of these votes is counted by a backend of its own. */
const AT_ONCE = 8;

/** The votes of `voters` on `post`, in no order of theirs, at positions of which none is everybody's. */
export function ballotsOf(voters: readonly Person[], post: Post, seed = 1): Ballot[] {
  const lot = lots(seed);
  const drawn = voters.map((voter) => ({ voter, lot: lot() })).sort((one, other) => one.lot - other.lot);
  return drawn.map(({ voter }, index) => {
    const position = POSITIONS[index < 3 ? index * 2 : Math.floor(lot() * POSITIONS.length)] ?? 'neutral';
    return { voter, post, position };
  });
}

/** Votes as they are, one after the other; `seen` is told of each. */
export async function cast(ballots: readonly Ballot[], seen?: (ballot: Ballot) => unknown): Promise<void> {
  for (const ballot of ballots) {
    // A client that sends a key with everything sends one with its votes.
    const headers = { 'idempotency-key': `vote-${ballot.post.id}` };
    const { voter, post, position } = ballot;
    await granted(voter.post(`/posts/${post.id}/vote`, { position }, { headers }));
    await seen?.(ballot);
  }
}

/** Votes as they are, so many at once that backends count beside each other. */
export async function castAtOnce(ballots: readonly Ballot[]): Promise<void> {
  for (let start = 0; start < ballots.length; start += AT_ONCE) {
    await Promise.all(ballots.slice(start, start + AT_ONCE).map((ballot) => cast([ballot])));
  }
}

/** Folds votes as the worker does, and holds further folds back. */
export async function fold(opine: Opine): Promise<void> {
  const { superuser } = opine.database;
  await sql`grant execute on function app.fold_pools(smallint) to opine_worker`.execute(superuser);
  await nobodyLooksBack(opine);
  await votesAreFolded(opine);
  // What somebody's snapshot still needed is left to the next fold.
  for (let turn = 0; turn < 5 && (await hasPages(opine)); turn += 1) await votesAreFolded(opine);
  await foldsWait(opine);
}

async function hasPages({ database }: Opine): Promise<boolean> {
  const { rows } = await sql<{ size: number }>`
    select sum(pg_relation_size(name::regclass))::integer as size
    from unnest(${EMPTIED.map((name) => `app.${name}`)}::text[]) as name`.execute(database.superuser);
  return rows[0]?.size !== 0;
}

const EMPTIED = ['vote_slots_even', 'vote_slots_odd', 'pending_ballots', 'fresh_votes', 'promotions'];

/** The steps of a fold, for those who leave one out. */
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

/** Folds votes without some of its steps, or without the vacuum of some of its tables. */
export async function foldWithout(opine: Opine, ...left: (Step | `app.${string}`)[]): Promise<void> {
  const { superuser } = opine.database;
  const does = (step: Step) => !left.includes(step);
  if (does('pools'))
    await sql`select app.fold_pools(0::smallint), app.fold_pools(1::smallint)`.execute(superuser);
  if (does('ballots')) await sql`select app.fold_ballots(${[PENDING_VOTE_KEY]}::text[])`.execute(superuser);
  if (does('receipts')) await sql`select app.fold_receipts()`.execute(superuser);
  if (!does('vacuum')) return;
  await nobodyLooksBack(opine);
  for (const table of TABLES.map((name) => `app.${name}` as const)) {
    if (!left.includes(table)) await sql`vacuum ${sql.table(table)}`.execute(superuser);
  }
}

/** Waits until nobody is still under way who may see former rows, for whom a vacuum would leave them. */
async function nobodyLooksBack({ database }: Opine): Promise<void> {
  const isQuiet = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and num_nonnulls(backend_xid, backend_xmin) > 0
    `.execute(database.superuser);
    return rows.length === 0;
  };
  await vi.waitUntil(isQuiet, { timeout: 10_000 });
}

/**
 * The votes of a audience, and of one more on each post, who come late: everybody's on `square`, those of members and some
 * guests on `placed`, and those of its two Hubs on `locked`, of which `unison` is of one mind.
 */
export function ballotsOfAll({ members, guests, posts }: Audience): { early: Ballot[]; late: Ballot[] } {
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

/** The true votes: what an attack is measured by. */
export function truthOf(ballots: readonly Ballot[]): ReadonlyMap<string, Position> {
  return new Map(ballots.map(({ voter, post, position }) => [voteOf(post.id, voter.id), position]));
}

/** Numbers from 0 to 1 that are the same in each run. */
function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
