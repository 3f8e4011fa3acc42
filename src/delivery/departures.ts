import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Duty } from './duty.ts';

/**
 * Removes what ended accounts left behind, part by part. Whatever fails or dies in between is taken up again when its
 * claim has run out.
 */
export function finishDepartures(db: Kysely<DB>): Duty {
  return {
    name: 'finish account deletions',
    everyMs: 1_000,
    run: async (stopping) => {
      while (!stopping.aborted) {
        const { rows } = await sql<{ user_id: string | null }>`
          select app.claim_account_deletion() as user_id`.execute(db);
        const [departure] = rows;
        if (!departure?.user_id) return;
        await sql`select app.finish_account_deletion(${departure.user_id})`.execute(db);
      }
    },
  };
}
