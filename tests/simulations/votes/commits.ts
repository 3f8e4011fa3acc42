import { sql } from 'kysely';
import type { Opine } from '../../support/opine.ts';

/** A commit that changes where a vote counts. */
export interface Transition {
  readonly kind: 'joined' | 'left' | 'placed' | 'deleted';
  readonly postId: string | null;
  readonly userId: string | null;
  readonly hubId: string | null;
  readonly transaction: bigint;
}

/** A committed vote, with the snapshot of its transaction. */
export interface CountedVote {
  readonly postId: string;
  readonly userId: string;
  readonly hubIds: readonly string[];
  /** `pg_snapshot` as text. */
  readonly snapshot: string;
}

/** The commits, as triggers recorded them in their transactions. */
export interface Commits {
  /** Ordered per Hub and per post. */
  readonly transitions: readonly Transition[];
  readonly votes: readonly CountedVote[];
}

const RECORDED = [
  ['memberships', 'insert', 'joined', 'null, row.user_id, row.hub_id, null'],
  ['memberships', 'delete', 'left', 'null, row.user_id, row.hub_id, null'],
  ['placements', 'insert', 'placed', 'row.post_id, null, row.hub_id, null'],
  ['posts', 'delete', 'deleted', 'row.id, null, null, null'],
  ['vote_receipts', 'insert', 'voted', 'row.post_id, row.user_id, null, row.hub_ids'],
] as const;

/** Creates triggers that record each change, and the snapshot of each vote. */
export async function recordCommits({ database }: Pick<Opine, 'database'>): Promise<void> {
  await sql`create schema observer`.execute(database.superuser);
  await sql`
    create table observer.commits (
      id bigint generated always as identity,
      transaction xid8 not null default pg_current_xact_id(),
      snapshot pg_snapshot not null default pg_current_snapshot(),
      kind text not null,
      post_id uuid,
      user_id uuid,
      hub_id uuid,
      hub_ids uuid[]
    )`.execute(database.superuser);
  for (const [table, event, kind, values] of RECORDED) {
    const name = sql.ref(`observer.${kind}`);
    const row = event === 'insert' ? 'new' : 'old';
    await sql`
      create function ${name}() returns trigger language plpgsql security definer as ${sql.raw(`$$
        begin
          insert into observer.commits (kind, post_id, user_id, hub_id, hub_ids)
          values ('${kind}', ${values.replaceAll('row.', `${row}.`)});
          return null;
        end
      $$`)}`.execute(database.superuser);
    // The fold may rewrite receipts; these are no votes.
    await sql`
      create trigger ${sql.ref(`record_${kind}`)} after ${sql.raw(event)} on ${sql.ref(`app.${table}`)}
      for each row when (session_user <> 'opine_worker') execute function ${name}()`.execute(
      database.superuser,
    );
  }
}

export async function commitsIn({ database }: Pick<Opine, 'database'>): Promise<Commits> {
  const { rows } = await sql<{
    kind: Transition['kind'] | 'voted';
    transaction: string;
    snapshot: string;
    post_id: string;
    user_id: string;
    hub_id: string;
    hub_ids: string[];
  }>`
    select kind, transaction::text, snapshot::text, post_id, user_id, hub_id, hub_ids::text[]
    from observer.commits order by id`.execute(database.superuser);
  const transitions: Transition[] = [];
  const votes: CountedVote[] = [];
  for (const { kind, post_id: postId, user_id: userId, hub_id: hubId, ...rest } of rows) {
    if (kind === 'voted') votes.push({ postId, userId, hubIds: rest.hub_ids, snapshot: rest.snapshot });
    else transitions.push({ kind, postId, userId, hubId, transaction: BigInt(rest.transaction) });
  }
  return { transitions, votes };
}
