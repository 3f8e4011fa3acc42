import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Backlog } from '../watch/backlog.ts';

/** Counts what waits for the worker. */
export async function readBacklog(db: Kysely<DB>): Promise<Backlog> {
  const { rows } = await sql<{ backlog: Backlog }>`select to_json(app.backlog()) as backlog`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('app.backlog() answered nothing.');
  return row.backlog;
}
