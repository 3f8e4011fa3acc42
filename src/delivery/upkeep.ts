import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import type { Duty } from './duty.ts';
import { type More, repeat } from './repeat.ts';

/** What keeps the database tidy: each duty is one statement, or one again and again. */
export function upkeep(db: Kysely<DB>): readonly Duty[] {
  const duty = (name: string, everyMs: number, statement: ReturnType<typeof sql>): Duty => ({
    name,
    everyMs,
    run: async () => {
      await statement.execute(db);
    },
  });
  return [
    duty('beat', 1_000, sql`select gateway.record_heartbeat()`),
    {
      name: 'prune pending totals',
      everyMs: 30_000,
      run: (stopping) => repeat(db, sql<More>`select app.prune_pending_totals() as is_more`, stopping),
    },
    duty('prune identity', 300_000, sql`select app.prune_identity()`),
    duty('prune uploads', 3_600_000, sql`select app.prune_uploads()`),
    duty('fold presence', 60_000, sql`select app.fold_presence()`),
    duty('remove closed hubs', 30_000, sql`select app.remove_closed_hubs()`),
    duty('prune feeds', 30_000, sql`select app.prune_feeds()`),
    duty('prune hubs', 300_000, sql`select app.prune_hubs()`),
    duty('prune rate meters', 300_000, sql`select app.prune_rate_limits()`),
    duty('prune device tokens', 3_600_000, sql`select app.prune_device_tokens()`),
    duty('prune staff sessions', 3_600_000, sql`select staff.prune_sessions()`),
    duty('prune idempotent answers', 300_000, sql`select gateway.prune_idempotent_answers()`),
  ];
}
