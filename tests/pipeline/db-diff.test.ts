import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { driftOf } from '../../scripts/db/drift.ts';
import { writeMigration } from '../../scripts/db/write-migration.ts';
import { copySupabase, type SupabaseCopy } from './supabase-copy.ts';

const TABLE = `create table app.colours (
  id uuid primary key default app.uuid_v7(),
  user_id uuid not null references app.users (id) on delete cascade,
  name text not null,
  constraint colours_name_length check (char_length(name) between 1 and 40)
);
comment on table app.colours is 'Whose colour is which.';
create index colours_user_id_idx on app.colours (user_id);
alter table app.colours enable row level security;
create policy colours_select on app.colours for select to authenticated using (user_id = (select app.user_id()));
grant select, insert (name) on app.colours to authenticated;
`;
const ROLES = `-- A group that only reads.
do $$
begin
  if to_regrole('opine_reader') is null then
    create role opine_reader nologin;
  end if;
end
$$;
grant opine_reader to opine_worker;
`;

function migrationsOf(copy: SupabaseCopy): string[] {
  return readdirSync(path.join(copy.directory, 'migrations')).sort();
}

test('what only the schemas have becomes a further migration, once, and what it loses is said', async () => {
  const copy = copySupabase();
  copy.write('schemas/colours.sql', TABLE);
  copy.write('schemas/reader.sql', ROLES);
  copy.write('migrations/29991231000000_shade.sql', 'alter table app.users add column shade text;');
  const before = migrationsOf(copy);

  const { files, replaced, losses } = await writeMigration(copy.directory, 'colours', false);
  expect(files).toEqual(['29991231000001_colours.sql']);
  expect(replaced).toEqual([]);
  expect(losses).toEqual(['ALTER TABLE "app"."users" DROP COLUMN "shade"']);
  expect(migrationsOf(copy)).toEqual([...before, ...files]);
  const text = readFileSync(path.join(copy.directory, 'migrations/29991231000001_colours.sql'), 'utf8');
  expect(text).toContain(`-- schemas/reader.sql\n\n${ROLES}`);

  expect(await writeMigration(copy.directory, 'again', false)).toMatchObject({ files: [] });
});

test('squashed, one migration replaces all and leads to the same', async () => {
  const copy = copySupabase();
  copy.write('schemas/colours.sql', TABLE);
  const before = migrationsOf(copy);
  const { files, replaced } = await writeMigration(copy.directory, 'whole', true);
  expect(replaced).toEqual(before);
  expect(migrationsOf(copy)).toEqual(files);
  expect(await driftOf(copy.directory)).toEqual([]);
});

test('a role that is made without a guard is refused: no second database of the cluster could be migrated', async () => {
  const copy = copySupabase();
  copy.write('schemas/reader.sql', 'create role opine_reader nologin;');
  await expect(writeMigration(copy.directory, 'reader', true)).rejects.toThrow(
    'schemas/reader.sql cannot be run twice',
  );
});
