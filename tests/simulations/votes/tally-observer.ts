import { sql } from 'kysely';
import type { Opine } from '../../support/opine.ts';

/** What changed who may vote where, or what of it counts. */
export interface Move {
  readonly kind: 'joined' | 'left' | 'placed' | 'deleted';
  readonly postId: string | null;
  readonly userId: string | null;
  readonly hubId: string | null;
  readonly transaction: bigint;
}

/** A vote, and which transactions were over for it. */
export interface CountedVote {
  readonly postId: string;
  readonly userId: string;
  readonly hubIds: readonly string[];
  /** `pg_snapshot` as text. */
  readonly snapshot: string;
}

/** What was committed, in the words of the transactions that did it. */
export interface Observation {
  /** In an order in which the moves of each Hub, and of each post, were made. */
  readonly moves: readonly Move[];
  readonly votes: readonly CountedVote[];
}

const WITNESSED = [
  ['memberships', 'insert', 'joined', 'null, row.user_id, row.hub_id, null'],
  ['memberships', 'delete', 'left', 'null, row.user_id, row.hub_id, null'],
  ['placements', 'insert', 'placed', 'row.post_id, null, row.hub_id, null'],
  ['posts', 'delete', 'deleted', 'row.id, null, null, null'],
  ['vote_receipts', 'insert', 'voted', 'row.post_id, row.user_id, null, row.hub_ids'],
] as const;

/** From now on each transaction testifies to what it changes, and a vote to what it has seen. */
export async function callObserver({ database }: Pick<Opine, 'database'>): Promise<void> {
  await sql`create schema observer`.execute(database.superuser);
  await sql`
    create table observer.testimony (
      id bigint generated always as identity,
      transaction xid8 not null default pg_current_xact_id(),
      snapshot pg_snapshot not null default pg_current_snapshot(),
      kind text not null,
      post_id uuid,
      user_id uuid,
      hub_id uuid,
      hub_ids uuid[]
    )`.execute(database.superuser);
  for (const [table, event, kind, values] of WITNESSED) {
    const name = sql.ref(`observer.${kind}`);
    const row = event === 'insert' ? 'new' : 'old';
    await sql`
      create function ${name}() returns trigger language plpgsql security definer as ${sql.raw(`$$
        begin
          insert into observer.testimony (kind, post_id, user_id, hub_id, hub_ids)
          values ('${kind}', ${values.replaceAll('row.', `${row}.`)});
          return null;
        end
      $$`)}`.execute(database.superuser);
    // The fold may write receipts anew: that is no vote.
    await sql`
      create trigger ${sql.ref(`witness_${kind}`)} after ${sql.raw(event)} on ${sql.ref(`app.${table}`)}
      for each row when (session_user <> 'opine_worker') execute function ${name}()`.execute(
      database.superuser,
    );
  }
}

export async function observationOf({ database }: Pick<Opine, 'database'>): Promise<Observation> {
  const { rows } = await sql<{
    kind: Move['kind'] | 'voted';
    transaction: string;
    snapshot: string;
    post_id: string;
    user_id: string;
    hub_id: string;
    hub_ids: string[];
  }>`
    select kind, transaction::text, snapshot::text, post_id, user_id, hub_id, hub_ids::text[]
    from observer.testimony order by id`.execute(database.superuser);
  const moves: Move[] = [];
  const votes: CountedVote[] = [];
  for (const { kind, post_id: postId, user_id: userId, hub_id: hubId, ...rest } of rows) {
    if (kind === 'voted') votes.push({ postId, userId, hubIds: rest.hub_ids, snapshot: rest.snapshot });
    else moves.push({ kind, postId, userId, hubId, transaction: BigInt(rest.transaction) });
  }
  return { moves, votes };
}
