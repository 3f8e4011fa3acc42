import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { driftOf } from '../../scripts/db/compare.ts';
import { writeMigration } from '../../scripts/db/migration.ts';
import { readSchemaFiles } from '../../scripts/db/schema-files.ts';
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
const ROLES = `-- A group with read access.
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

describe('npm run db:diff', () => {
  test('writes one migration to the schemas, and lists the objects that it drops', async () => {
    const copy = copySupabase();
    copy.write('schemas/colours.sql', TABLE);
    copy.write('schemas/reader.sql', ROLES);
    copy.write('migrations/29991231000000_shade.sql', 'alter table app.users add column shade text;');
    const before = migrationsOf(copy);

    const { files, replaced, losses } = await writeMigration(copy.directory, 'colours');
    expect(files).toEqual(['29991231000001_colours.sql']);
    expect(replaced).toEqual([]);
    expect(losses).toEqual(['ALTER TABLE "app"."users" DROP COLUMN "shade"']);
    expect(migrationsOf(copy)).toEqual([...before, ...files]);
    const text = readFileSync(path.join(copy.directory, 'migrations/29991231000001_colours.sql'), 'utf8');
    expect(text).toContain(`-- schemas/reader.sql\n\n${ROLES}`);

    expect(await writeMigration(copy.directory, 'again')).toMatchObject({ files: [] });
  });

  test('replaces a migration of the same name that no version has', async () => {
    const copy = copySupabase();
    copy.write('schemas/colours.sql', TABLE);
    const before = migrationsOf(copy);
    const draft = await writeMigration(copy.directory, 'colours');
    copy.write('schemas/colours.sql', TABLE.replaceAll('name', 'label'));
    const { files, replaced } = await writeMigration(copy.directory, 'colours');
    expect(replaced).toEqual(draft.files);
    expect(migrationsOf(copy)).toEqual([...before, ...files]);
    expect(await driftOf(copy.directory)).toEqual([]);
  });

  test('adds to a migration of the same name that a version has', async () => {
    const copy = copySupabase();
    const before = migrationsOf(copy);
    copy.release('1.0.0');
    copy.write('schemas/colours.sql', TABLE);
    const { files, replaced } = await writeMigration(copy.directory, 'part');
    expect(replaced).toEqual([]);
    expect(migrationsOf(copy)).toEqual([...before, ...files]);
  });

  test('writes the schema files as the first migration', async () => {
    const copy = copySupabase();
    copy.write('schemas/colours.sql', TABLE);
    const before = migrationsOf(copy);
    const { files, replaced } = await writeMigration(copy.directory, 'part');
    expect(replaced).toEqual(before);
    expect(migrationsOf(copy)).toEqual(files);
    expect(readFileSync(path.join(copy.directory, 'migrations', files[0] ?? ''), 'utf8')).toContain(TABLE);
    expect(await driftOf(copy.directory)).toEqual([]);
  });

  test('refuses a role without a guard, which fails in the second database of a cluster', async () => {
    const copy = copySupabase();
    copy.write('schemas/reader.sql', 'create role opine_reader nologin;');
    await expect(writeMigration(copy.directory, 'reader')).rejects.toThrow(
      'schemas/reader.sql cannot be run twice',
    );
  });
});

describe('a schema file', () => {
  function read(sql: string) {
    const copy = copySupabase();
    copy.write('schemas/probe.sql', sql);
    return readSchemaFiles(`${copy.directory}/schemas`).find(({ name }) => name === 'probe.sql');
  }

  test.each([
    [
      'objects',
      "-- It's only a comment; grant a to b;\ncreate table app.a (); grant select on app.a to anon;",
      false,
    ],
    [
      'functions with SQL-standard bodies',
      'create function app.a() returns int language plpgsql as $$ begin insert into app.b default values; end $$;\n' +
        'create function app.b() returns int language sql\nbegin atomic\n  select case when true then 1 end;\nend;',
      false,
    ],
    ['roles', 'do $$ begin create role a; end $$;\ngrant a to b;\nalter role a set work_mem = 1;', true],
  ])('may declare %s', (_subject, sql, isAboutRoles) => {
    expect(read(sql)).toMatchObject({ isAboutRoles });
  });

  test.each([
    [
      'rows',
      "insert into app.task_runs (name, started_at) values ('fold', now());",
      'insert into app.task_runs',
    ],
    ['settings of a database', "alter database postgres set work_mem = '1MB';", 'alter database'],
    ['function calls', "select cron.schedule('a', '* * * * *', 'select 1');", 'select cron.schedule'],
  ])('must not have %s, which db:diff would leave out', (_subject, sql, statement) => {
    expect(() => read(sql)).toThrow(`schemas/probe.sql: "${statement}`);
  });

  test('must not declare roles and objects', () => {
    expect(() => read('create role a;\ncreate table app.a ();')).toThrow('schemas/probe.sql: roles');
  });
});
