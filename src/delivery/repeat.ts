import type { Kysely, RawBuilder } from 'kysely';
import type { DB } from '../db/types.ts';

const PATIENCE_MS = 15_000;

/** What a step answers: whether there may be more to do. */
export type More = { is_more: boolean };

/** Runs `step` until it says that there is no more; not for ever, where more comes all the time. */
export async function repeat(db: Kysely<DB>, step: RawBuilder<More>, stopping: AbortSignal): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  while (!stopping.aborted && !patience.aborted) {
    const { rows } = await step.execute(db);
    if (!rows[0]?.is_more) return;
  }
}
