import { sql } from 'kysely';
import type { Opine } from '../../support/opine.ts';

export interface Receipt {
  readonly postId: string;
  readonly userId: string;
  readonly hubIds: readonly string[];
  readonly baseline: number | null;
}

/** The stored votes in one snapshot; a pair is two ids with a space between them. */
export interface Stored {
  readonly receipts: readonly Receipt[];
  /** Votes at each position, in order, by `scopeOf`. */
  readonly counts: ReadonlyMap<string, readonly number[]>;
  readonly posts: ReadonlySet<string>;
  /** Pairs of post and Hub. */
  readonly places: ReadonlySet<string>;
  /** Pairs of member and Hub. */
  readonly members: ReadonlySet<string>;
}

/** Returns the name of a post's scope: a Hub or everybody. */
export function scopeOf(postId: string, hubId: string | null): string {
  return `${postId} ${hubId ?? 'everybody'}`;
}

export function storedIn({ database }: Pick<Opine, 'database'>): Promise<Stored> {
  const moment = database.superuser.transaction().setIsolationLevel('repeatable read');
  return moment.execute(async (transaction) => {
    const receipts = await sql<Receipt>`
      select post_id as "postId", user_id as "userId", hub_ids::text[] as "hubIds", baseline
      from app.vote_receipts`.execute(transaction);
    const counts = await sql<{ post_id: string; hub_id: string | null; counts: number[] }>`
      with pools as (select * from app.vote_pools),
      slots as (select * from app.vote_slots where post_id in (select id from app.posts)),
      both_of as (
        select post_id, hub_id, (counts).* from pools
        union all
        select post_id, hub_id, (counts).* from slots
      )
      select post_id, hub_id, array[
        sum(strong_left_count), sum(left_count), sum(neutral_count), sum(right_count), sum(strong_right_count)
      ]::integer[] as counts
      from both_of group by post_id, hub_id`.execute(transaction);
    const posts = await sql<{ id: string }>`select id from app.posts`.execute(transaction);
    const places = await sql<{ post_id: string; hub_id: string }>`
      select post_id, hub_id from app.placements`.execute(transaction);
    const members = await sql<{ user_id: string; hub_id: string }>`
      select user_id, hub_id from app.memberships`.execute(transaction);
    return {
      receipts: receipts.rows,
      counts: new Map(counts.rows.map((row) => [scopeOf(row.post_id, row.hub_id), row.counts])),
      posts: new Set(posts.rows.map(({ id }) => id)),
      places: new Set(places.rows.map((row) => `${row.post_id} ${row.hub_id}`)),
      members: new Set(members.rows.map((row) => `${row.user_id} ${row.hub_id}`)),
    };
  });
}
