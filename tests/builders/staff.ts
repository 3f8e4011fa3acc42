import { sql } from 'kysely';
import type { Opine } from '../harness/opine.ts';

type Act = 'suspend_user' | 'restore_user' | 'suspend_hub' | 'restore_hub';

/** Staff decides so about a person or a Hub. */
export async function staffDecides(
  { database }: Pick<Opine, 'database'>,
  act: Act,
  { id }: { readonly id: string },
): Promise<void> {
  await sql`select ${sql.ref(`staff.${act}`)}(${id}, 'a test')`.execute(database.superuser);
}
