import { sql } from 'kysely';
import type { Opine } from './opine.ts';

/**
 * Moves the time of everybody in `opine` ahead. It never goes back, so that the tests of a file may share an Opine.
 * @param interval as Postgres reads it, such as `61 seconds`
 */
export async function timePasses(opine: Pick<Opine, 'database'>, interval: string): Promise<void> {
  const shift = sql`coalesce((select shift from app.clock), '0')`;
  await sql`select app.set_clock_offset(${shift} + ${interval}::interval)`.execute(opine.database.superuser);
}

/** What time it is in `opine`. */
export async function timeIn(opine: Opine): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app.now()`.execute(opine.database.superuser);
  return rows[0]?.now ?? new Date(Number.NaN);
}
