import { sql } from 'kysely';
import type { Opine } from '../support/opine.ts';
import { type Heap, heapsOf, readHeapRows, visiblePlaces } from './heaps.ts';
import type { Tally } from './implied.ts';
import { type Ids, type Version, versionOf } from './versions.ts';

/** A vote receipt. */
export interface Receipt {
  readonly post: string;
  readonly user: string;
  readonly hubs: readonly string[];
  readonly votedAt: Date;
}

/** Everything that an attacker with the whole database reads. */
export interface AttackerView {
  readonly opine: Pick<Opine, 'database'>;
  readonly heaps: readonly Heap[];
  readonly ids: Ids;
  readonly receipts: readonly Receipt[];
  /** The totals of every scope with their voters. */
  readonly tallies: readonly Scope[];
  /** Every row version in a page, live or dead. */
  readonly versions: readonly Version[];
  readonly visible: readonly Version[];
}

/** A scope of a post: a Hub, or global. */
export interface Scope extends Tally {
  readonly hub: string | null;
}

/** Reads the database as its superuser. */
export async function readAttackerView(opine: Pick<Opine, 'database'>): Promise<AttackerView> {
  const { database } = opine;
  const heaps = await heapsOf(database);
  const heapOf = new Map(heaps.map((heap) => [heap.table, heap]));
  const ids = await idsOf(opine);
  const receipts = await receiptsOf(opine);
  const [heapRows, places] = [await readHeapRows(database), await visiblePlaces(database, heaps)];
  const versions = heapRows.flatMap((row) => {
    const heap = heapOf.get(row.table);
    return heap === undefined ? [] : [versionOf(heap, row, ids)];
  });
  const visible = versions.filter(({ table, ctid }) => places.has(`${table} ${ctid}`));
  return { opine, heaps, ids, receipts, tallies: await scopesOf(opine, receipts), versions, visible };
}

async function idsOf({ database }: AttackerView['opine']): Promise<Ids> {
  const { rows } = await sql<Record<'users' | 'posts' | 'hubs', string[]>>`
    select array(select id::text from app.users) as users,
      array(select id::text from app.posts) as posts,
      array(select id::text from app.hubs) as hubs`.execute(database.superuser);
  const [{ users, posts, hubs } = { users: [], posts: [], hubs: [] }] = rows;
  return { users: new Set(users), posts: new Set(posts), hubs: new Set(hubs) };
}

async function receiptsOf({ database }: AttackerView['opine']): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select post_id as post, user_id as user, hub_ids::text[] as hubs, voted_at as "votedAt"
    from app.vote_receipts`.execute(database.superuser);
  return rows;
}

/** Reads the totals of each scope with the users whose receipts count there. */
async function scopesOf({ database }: AttackerView['opine'], receipts: readonly Receipt[]): Promise<Scope[]> {
  const { rows } = await sql<{ post: string; hub: string | null; counts: string }>`
    select post_id as post, hub_id as hub, app.sum_counts(counted.counts)::text as counts
    from (
      select post_id, hub_id, counts from app.vote_pools
      union all select post_id, hub_id, counts from app.vote_slots
    ) as counted
    group by post_id, hub_id
  `.execute(database.superuser);
  const { rows: memberships } = await sql<{ user: string; hub: string }>`
    select user_id as user, hub_id as hub from app.memberships`.execute(database.superuser);
  return rows.map(({ post, hub, counts: text }) => {
    const counts = text.slice(1, -1).split(',').map(Number);
    const voters = receipts.filter((receipt) => receipt.post === post);
    const counted = voters.filter(({ hubs }) => hub === null || hubs.includes(hub));
    if (counted.length === counts.reduce((sum, count) => sum + count, 0)) {
      return { post, hub, counts, users: counted.map(({ user }) => user) };
    }
    // A share counted waiting votes: memberships tell whose, receipts do not.
    const members = new Set(memberships.filter((one) => one.hub === hub).map(({ user }) => user));
    return {
      post,
      hub,
      counts,
      users: voters.filter(({ user }) => members.has(user)).map(({ user }) => user),
    };
  });
}
