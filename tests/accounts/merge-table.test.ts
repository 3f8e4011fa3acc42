import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { anOpine } from '../support/opine.ts';

const DECISION = path.join(import.meta.dirname, '../../docs/decisions/006-merge.md');

test('docs/decisions/006-merge.md decides about every column that holds the id of a user', async () => {
  const { database } = await anOpine();
  const { rows } = await sql<{ name: string }>`
    select format('%s.%s', c.attrelid::regclass, c.attname) as name
    from pg_attribute as c
    join pg_class as t on t.oid = c.attrelid and t.relkind in ('r', 'p')
    join pg_namespace as n on n.oid = t.relnamespace and n.nspname in ('app', 'api', 'gateway', 'staff')
    where c.attnum > 0 and not c.attisdropped and c.atttypid in ('uuid'::regtype, 'text'::regtype) and (
      c.attrelid = 'app.users'::regclass and c.attname = 'id'
      or c.attname ~ '(^|_)subject$|(^|_)(user|author|owner|actor|member|voter|viewer|sender|recipient|reporter|inviter|follower|subject)_id$'
      or exists (
        select from pg_constraint as f
        where f.contype = 'f' and f.conrelid = c.attrelid and f.conkey[1] = c.attnum and cardinality(f.conkey) = 1
          and f.confrelid in ('app.users'::regclass, 'app.profiles'::regclass, 'app.contact_snapshots'::regclass)
      )
    )`.execute(database.superuser);
  const decided = [...readFileSync(DECISION, 'utf8').matchAll(/^\| `([a-z_.]+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(decided.sort()).toEqual(rows.map(({ name }) => name).sort());
});
