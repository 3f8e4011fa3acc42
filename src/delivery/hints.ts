import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Dispatch, Taken } from './dispatch.ts';
import type { Duty } from './duty.ts';

const BATCH = 500;
const PATIENCE_MS = 15_000;
const SWEEP_MS = 5_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Tells those who hold streams of what lies in the outbox, and has devices sent theirs, for which no hint waits. A turn
 * looks at what has come lately; every few seconds it sweeps through all: rows that are gone, and which an old snapshot
 * keeps Postgres from forgetting, are passed that often and no more.
 * @param dispatch null where devices are left to others
 */
export function publishHints(db: Kysely<DB>, dispatch: Dispatch | null): Duty {
  let sweepAt = 0;
  return {
    name: 'publish hints',
    everyMs: 200,
    run: async (stopping) => {
      const begun = performance.now();
      let after: string | null = null;
      if (begun >= sweepAt) {
        after = FIRST;
        sweepAt = begun + SWEEP_MS;
      }
      do {
        const { rows } = await sql<{ last: string | null; messages: Taken[] }>`
          select last, messages from app.publish_hints(${after}, ${BATCH}, ${dispatch?.room() ?? 0})`.execute(
          db,
        );
        dispatch?.send(rows[0]?.messages ?? [], stopping);
        after = rows[0]?.last ?? null;
      } while (after !== null && !stopping.aborted && performance.now() - begun < PATIENCE_MS);
    },
  };
}
