import { describe, expect, test } from 'vitest';
import { readSchemaFiles } from '../../scripts/db/schema-files.ts';
import { copySupabase } from './supabase-copy.ts';

function read(sql: string) {
  const copy = copySupabase();
  copy.write('schemas/probe.sql', sql);
  return readSchemaFiles(`${copy.directory}/schemas`).find(({ name }) => name === 'probe.sql');
}

describe('a schema file', () => {
  test.each([
    [
      'objects',
      "-- It's only a comment; grant a to b;\ncreate table app.a (); grant select on app.a to anon;",
      false,
    ],
    [
      'functions with bodies of their own',
      'create function app.a() returns int language plpgsql as $$ begin insert into app.b default values; end $$;\n' +
        'create function app.b() returns int language sql\nbegin atomic\n  select case when true then 1 end;\nend;',
      false,
    ],
    ['roles', 'do $$ begin create role a; end $$;\ngrant a to b;\nalter role a set work_mem = 1;', true],
  ])('may declare %s', (_what, sql, isAboutRoles) => {
    expect(read(sql)).toMatchObject({ isAboutRoles });
  });

  test.each([
    ['rows', "insert into app.clock (shift) values ('1 day');", 'insert into app.clock'],
    ['settings of a database', "alter database postgres set work_mem = '1MB';", 'alter database'],
    ['calls', "select cron.schedule('a', '* * * * *', 'select 1');", 'select cron.schedule'],
  ])('may not have %s, which no migration would get', (_what, sql, named) => {
    expect(() => read(sql)).toThrow(`schemas/probe.sql: "${named}`);
  });

  test('may not declare roles and objects at once', () => {
    expect(() => read('create role a;\ncreate table app.a ();')).toThrow('schemas/probe.sql: roles');
  });
});
