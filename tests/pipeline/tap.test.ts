import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPgtapDatabase, type TestDatabase } from '../support/database.ts';
import { runTap } from '../support/pgtap.ts';

describe('a pgTAP script', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createPgtapDatabase();
    client = new pg.Client({ connectionString: database.superuserUrl });
    await client.connect();
  });

  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  const problemsOf = (sql: string) => runTap(client, sql);

  test.each([
    ['passes', "select plan(2); select ok(true, 'one'); select is(2, 2, 'two');", []],
    ['reports a failed test', "select plan(1); select ok(false, 'one');", ['not ok 1 - one']],
    ['reports fewer tests than planned', 'select plan(3); select pass();', ['planned 3 tests but ran 1']],
    ['reports a missing plan', "select 'ok 1 - said by hand'", ['no plan']],
    ['reports a run without tests', 'select 1', ['no test ran']],
  ])('%s: %s', async (_, sql, expected) => {
    expect((await problemsOf(sql)).filter((line) => !line.startsWith('#'))).toEqual(expected);
  });

  test('reports the reason of a failed test', async () => {
    expect((await problemsOf("select plan(1); select is(1, 2, 'one is two');")).join()).toContain('want: 2');
  });

  test('fails with the error of a statement', async () => {
    await expect(problemsOf('select plan(1); select no_such_function();')).rejects.toThrow(
      'no_such_function',
    );
  });

  test('runs its tests as any role, and leaves no objects behind', async () => {
    const sql = `
      begin;
      select plan(2);
      create table public.left_behind ();
      set local role opine_worker;
      select is(current_user::text, 'opine_worker', 'acts as the worker');
      reset role;
      select has_table('public', 'left_behind', 'the table is there');
      select * from finish();
      rollback;`;
    expect(await problemsOf(sql)).toEqual([]);
    const table = await problemsOf("select plan(1); select hasnt_table('public', 'left_behind', 'gone');");
    expect(table).toEqual([]);
  });

  test('leaves no prepared statements and locks in its session', async () => {
    const sql = `
      select plan(1);
      prepare a_statement as select 1;
      select pg_advisory_lock(1);
      select pass();`;
    expect(await problemsOf(sql)).toEqual([]);
    const { rows } = await client.query(
      `select (select count(*)::int from pg_prepared_statements) as statements,
         (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
    );
    expect(rows).toEqual([{ statements: 0, locks: 0 }]);
  });

  test('passes on a connection on which another one has failed', async () => {
    await expect(problemsOf('select plan(1); select no_such_function();')).rejects.toThrow();
    expect(await problemsOf('select plan(1); select pass();')).toEqual([]);
  });
});
