import { sql } from 'kysely';
import type { TestDatabase } from './database.ts';

/**
 * Keeps autovacuum away from our tables. Statistics that it takes amid a test plan for what others have not committed
 * yet, and while it looks at a table nobody else's vacuum can find it visible to all: plans would be others by chance.
 */
export async function keepAutovacuumAway({ superuser }: Pick<TestDatabase, 'superuser'>): Promise<void> {
  await sql`
    do $$
    declare
      v_table regclass;
    begin
      for v_table in
        select oid from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('app', 'gateway', 'staff')
      loop
        execute format('alter table %s set (autovacuum_enabled = false)', v_table);
      end loop;
    end
    $$`.execute(superuser);
}
