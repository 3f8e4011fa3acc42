import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Dispatch, Taken } from './dispatch.ts';
import type { Duty } from './duty.ts';

const BATCH = 500;
const LANES = 2;
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

  async function publishBatch(after: string | null, stopping: AbortSignal): Promise<string | null> {
    const { rows } = await sql<{ last: string | null; messages: Taken[] }>`
      select last, messages from app.publish_signals(${after}, ${BATCH}, ${dispatch?.room() ?? 0})`.execute(db);
    dispatch?.send(rows[0]?.messages ?? [], 'settle_published', stopping);
    return rows[0]?.last ?? null;
  }

  async function publishRest(first: string, stopping: AbortSignal): Promise<void> {
    const patience = AbortSignal.any([stopping, AbortSignal.timeout(PATIENCE_MS)]);
    for (let after: string | null = first; after !== null && !patience.aborted; )
      after = await publishBatch(after, stopping);
  }

  return {
    name: 'publish hints',
    everyMs: 200,
    run: async (stopping) => {
      const isSweep = performance.now() >= sweepAt;
      if (isSweep) sweepAt = performance.now() + SWEEP_MS;
      const last = await publishBatch(isSweep ? FIRST : null, stopping);
      // Each passes over what others are telling of.
      if (last !== null) await Promise.all(Array.from({ length: LANES }, () => publishRest(last, stopping)));
    },
  };
}
