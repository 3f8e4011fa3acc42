import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Duty } from './duty.ts';

const BATCH = 500;
const PATIENCE_MS = 15_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Tells those who hold streams of what lies in the outbox. A turn goes through it once, so that rows which are gone, and
 * which an old snapshot keeps Postgres from forgetting, are passed once a turn and not once a batch.
 */
export function publishHints(db: Kysely<DB>): Duty {
  return {
    name: 'publish hints',
    everyMs: 200,
    run: async (stopping) => {
      const patience = AbortSignal.timeout(PATIENCE_MS);
      let after: string | null = FIRST;
      while (after !== null && !stopping.aborted && !patience.aborted) {
        const { rows } = await sql<{
          last: string | null;
        }>`select app.publish(${after}, ${BATCH}) as last`.execute(db);
        after = rows[0]?.last ?? null;
      }
    },
  };
}
