import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPgtapDatabase, type TestDatabase } from '../harness/database.ts';
import { runTap } from '../harness/tap.ts';

describe('a pgTAP script', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createPgtapDatabase();
  });

  afterAll(() => database.drop());

  const problemsOf = (sql: string) => runTap(database.superuserUrl, sql);

  test('is well where every planned test is ok', async () => {
    expect(
      await problemsOf(
        "select plan(2); select ok(true, 'one'); select is(2, 2, 'two'); select * from finish();",
      ),
    ).toEqual([]);
  });

  test('names the test that is not ok, and why', async () => {
    const problems = await problemsOf(
      "select plan(1); select is(1, 2, 'one is two'); select * from finish();",
    );
    expect(problems[0]).toBe('not ok 1 - one is two');
    expect(problems.join('\n')).toContain('want: 2');
  });

  test('is not well where fewer tests run than planned', async () => {
    const problems = await problemsOf("select plan(3); select ok(true, 'one'); select * from finish();");
    expect(problems).toContain('planned 3 tests but ran 1');
  });

  test('is not well without a plan', async () => {
    expect(await problemsOf("select 'ok 1 - said by hand'")).toEqual(['no plan']);
  });

  test('is not well without a test', async () => {
    expect(await problemsOf('select 1')).toEqual(['no test ran']);
  });

  test('fails where a statement fails', async () => {
    await expect(problemsOf('select plan(1); select no_such_function();')).rejects.toThrow(
      'no_such_function',
    );
  });

  test('reports as any role, and leaves nothing behind', async () => {
    const sql = `
      select plan(2);
      create table public.left_behind ();
      set local role opine_worker;
      select is(current_user::text, 'opine_worker', 'acts as the worker');
      reset role;
      select has_table('public', 'left_behind', 'the table is there');
      select * from finish();`;
    expect(await problemsOf(sql)).toEqual([]);
    const table = await problemsOf("select plan(1); select hasnt_table('public', 'left_behind', 'gone');");
    expect(table).toEqual([]);
  });
});
