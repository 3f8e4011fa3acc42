import { sql } from 'kysely';
import { expect } from 'vitest';
import { timePasses } from './clock.ts';
import type { Opine } from './opine.ts';
import { expectOnceWorked, type Workplace } from './worker.ts';

export { TIMEOUT } from './worker.ts';

/** How many rows of `table` have `id` in `column`. */
export async function countIn(
  { database }: Pick<Opine, 'database'>,
  table: string,
  column: string,
  id: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${id}
  `.execute(database.superuser);
  return rows[0]?.count ?? 0;
}

/** Waits until workers have done all there is to do for a departed user. */
export async function untilGone(opine: Workplace, userId: string): Promise<void> {
  await timePasses(opine, '61 seconds');
  await expectOnceWorked(opine, () => countIn(opine, 'app.account_deletions', 'user_id', userId)).toBe(0);
  expect(await countIn(opine, 'app.posts', 'author_id', userId)).toBe(0);
}
