import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** A duty of the worker: what it runs and how often. */
export interface Duty {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/** What keeps the database tidy: each duty is one statement, and safe to run twice or in two workers at once. */
export function upkeep(db: Kysely<DB>): readonly Duty[] {
  const duty = (name: string, everyMs: number, statement: ReturnType<typeof sql>): Duty => ({
    name,
    everyMs,
    run: async () => {
      await statement.execute(db);
    },
  });
  return [
    duty('fold votes', 30_000, sql`select app.fold_votes()`),
    duty('prune identity', 300_000, sql`select app.prune_identity()`),
    duty('prune idempotent answers', 300_000, sql`select gateway.prune_idempotent_answers()`),
  ];
}
