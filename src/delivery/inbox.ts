import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Duty } from './duty.ts';
import { type More, repeat } from './repeat.ts';

/** Tells those who were too many for the request in which something happened. */
export function fanOut(db: Kysely<DB>): Duty {
  return {
    name: 'fan out',
    everyMs: 500,
    run: (stopping) => repeat(db, sql<More>`select app.fan_out() as is_more`, stopping),
  };
}

/** Sums up what is counted in inboxes. */
export function foldInboxCounts(db: Kysely<DB>): Duty {
  return {
    name: 'fold inbox counts',
    everyMs: 5_000,
    run: (stopping) => repeat(db, sql<More>`select app.fold_inbox_counts() as is_more`, stopping),
  };
}
