import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Dispatch, Taken } from './dispatch.ts';
import type { Duty } from './duty.ts';

const BATCH = 200;

/** Sends what still waits for devices: what is tried again, and what there was no room for when it was published. */
export function pushToDevices(db: Kysely<DB>, dispatch: Dispatch): Duty {
  return {
    name: 'push to devices',
    everyMs: 500,
    run: async (stopping) => {
      // Who gets no answer leaves what waits to others.
      await dispatch.idle();
      for (let isMore = true; isMore && !stopping.aborted; ) {
        const limit = Math.min(BATCH, dispatch.room());
        if (limit === 0) return;
        const { rows } = await sql<{ is_more: boolean; messages: Taken[] }>`
          select is_more, messages from app.claim_pushes(${limit})`.execute(db);
        await dispatch.send(rows[0]?.messages ?? [], 'settle_pushes', stopping);
        isMore = rows[0]?.is_more ?? false;
      }
    },
  };
}
