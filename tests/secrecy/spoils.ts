import { sql } from 'kysely';
import type { Opine } from '../support/opine.ts';
import { type Heap, heapsOf, lyingRows, visiblePlaces } from './heaps.ts';
import type { Tally } from './implied.ts';
import { type Ids, type Version, versionOf } from './versions.ts';

/** A receipt: that somebody voted, and in which Hubs it counted. */
export interface Receipt {
  readonly post: string;
  readonly user: string;
  readonly hubs: readonly string[];
  readonly votedAt: Date;
}

/** What whoever reads the whole database has of it. */
export interface Spoils {
  readonly opine: Pick<Opine, 'database'>;
  readonly heaps: readonly Heap[];
  readonly ids: Ids;
  readonly receipts: readonly Receipt[];
  /** The totals of every scope, and whose votes are in them. */
  readonly tallies: readonly Scope[];
  /** Every version of every row in a page, those that are visible first. */
  readonly versions: readonly Version[];
  readonly visible: readonly Version[];
}

/** A scope of a post: everybody's where it has no Hub. */
export interface Scope extends Tally {
  readonly hub: string | null;
}

/** Reads everything there is to read by the superuser of the database. */
export async function spoilsOf(opine: Pick<Opine, 'database'>): Promise<Spoils> {
  const { database } = opine;
  const heaps = await heapsOf(database);
  const heapOf = new Map(heaps.map((heap) => [heap.table, heap]));
  const ids = await idsOf(opine);
  const receipts = await receiptsOf(opine);
  const [lying, places] = [await lyingRows(database), await visiblePlaces(database, heaps)];
  const versions = lying.flatMap((row) => {
    const heap = heapOf.get(row.table);
    return heap === undefined ? [] : [versionOf(heap, row, ids)];
  });
  const visible = versions.filter(({ table, ctid }) => places.has(`${table} ${ctid}`));
  return { opine, heaps, ids, receipts, tallies: await scopesOf(opine, receipts), versions, visible };
}

async function idsOf({ database }: Spoils['opine']): Promise<Ids> {
  const { rows } = await sql<Record<'users' | 'posts' | 'hubs', string[]>>`
    select array(select id::text from app.users) as users,
      array(select id::text from app.posts) as posts,
      array(select id::text from app.hubs) as hubs`.execute(database.superuser);
  const [{ users, posts, hubs } = { users: [], posts: [], hubs: [] }] = rows;
  return { users: new Set(users), posts: new Set(posts), hubs: new Set(hubs) };
}

async function receiptsOf({ database }: Spoils['opine']): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select post_id as post, user_id as user, hub_ids::text[] as hubs, voted_at as "votedAt"
    from app.vote_receipts`.execute(database.superuser);
  return rows;
}

/** The totals as everybody may read them in their scope, by whose receipts they are made of. */
async function scopesOf({ database }: Spoils['opine'], receipts: readonly Receipt[]): Promise<Scope[]> {
  const columns = sql.raw('strong_left_count, left_count, neutral_count, right_count, strong_right_count');
  const { rows } = await sql<{ post: string; hub: string | null; counts: string }>`
    select post_id as post, hub_id as hub, row(
      sum(strong_left_count), sum(left_count), sum(neutral_count), sum(right_count), sum(strong_right_count)
    )::text as counts
    from (
      select post_id, hub_id, ${columns} from app.vote_pools
      union all select post_id, hub_id, ${columns} from app.vote_slots
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
    // Pending votes were promoted: no receipt tells of them, but who was a member does.
    const members = new Set(memberships.filter((one) => one.hub === hub).map(({ user }) => user));
    return {
      post,
      hub,
      counts,
      users: voters.filter(({ user }) => members.has(user)).map(({ user }) => user),
    };
  });
}
