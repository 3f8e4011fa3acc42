import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Bucket } from '../storage/buckets.ts';
import type { Objects } from '../storage/objects.ts';
import type { Duty } from './duty.ts';

const AT_ONCE = 100;

/**
 * Removes objects that are no assets any more, or never became any: from storage first, then the rows that know of them.
 * Whatever fails or dies in between is taken up again when its claim has run out.
 */
export function removeExpiredObjects(db: Kysely<DB>, objects: Objects): Duty {
  return {
    name: 'remove expired objects',
    everyMs: 1_000,
    run: async (stopping) => {
      while (!stopping.aborted) {
        const { rows } = await sql<{ id: string; bucket: Bucket }>`
          select id, bucket from app.claim_expired_objects(${AT_ONCE})`.execute(db);
        if (rows.length === 0) return;
        const removals = [...Map.groupBy(rows, (row) => row.bucket)].map(async ([bucket, ofBucket]) => {
          const ids = ofBucket.map(({ id }) => id);
          await objects.remove(bucket, ids);
          await sql`select app.forget_objects(${ids}::uuid[])`.execute(db);
        });
        // One bucket that fails keeps nothing in the other.
        for (const result of await Promise.allSettled(removals)) {
          if (result.status === 'rejected') throw result.reason;
        }
      }
    },
  };
}

/**
 * Removes what lies in the bucket of uploads and belongs to none that is open. It looks at what is there, as a file may
 * still come after its upload was completed or has expired.
 */
export function sweepUploads(db: Kysely<DB>, objects: Objects): Duty {
  return {
    name: 'sweep uploads',
    everyMs: 5_000,
    run: async (stopping) => {
      const dead: string[] = [];
      for await (const keys of objects.list('uploads')) {
        const { rows } = await sql<{ key: string }>`
          select key from app.dead_upload_keys(${keys}::text[]) as key`.execute(db);
        dead.push(...rows.map(({ key }) => key));
        if (stopping.aborted) return;
      }
      for (let from = 0; from < dead.length; from += AT_ONCE) {
        await objects.remove('uploads', dead.slice(from, from + AT_ONCE));
      }
    },
  };
}
