import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Objects } from '../storage/objects.ts';
import type { Duty } from './duty.ts';

interface Departure {
  readonly user_id: string;
  readonly objects: readonly { id: string; bucket: string; objectKey: string }[];
}

/**
 * Removes what ended accounts left behind, part by part: objects from storage first, then the rows that know of them.
 * Whatever fails or dies in between is taken up again when its claim has run out.
 */
export function finishDepartures(db: Kysely<DB>, objects: Objects): Duty {
  return {
    name: 'finish departures',
    everyMs: 1_000,
    run: async (stopping) => {
      while (!stopping.aborted) {
        const { rows } = await sql<Departure>`select * from app.claim_departure()`.execute(db);
        const [departure] = rows;
        if (departure === undefined) return;
        await objects.remove(departure.objects);
        const removed = departure.objects.map(({ id }) => id);
        await sql`select app.finish_departure(${departure.user_id}, ${removed}::uuid[])`.execute(db);
      }
    },
  };
}
