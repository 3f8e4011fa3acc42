import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const SCHEDULE = readFileSync(
  path.join(SUPABASE_DIRECTORY, 'schemas/80_notifications/13_schedule.sql'),
  'utf8',
);

/** A fake of pg_cron: a job replaces one of the same name and user. */
const FAKE_CRON = `
  create schema cron;
  create table cron.job (jobname text, schedule text, command text, username name default current_user, unique (jobname, username));
  create function cron.schedule(job_name text, schedule text, command text) returns bigint language sql as $$
    insert into cron.job values (job_name, schedule, command)
    on conflict (jobname, username) do update set schedule = excluded.schedule, command = excluded.command
    returning 1
  $$;
  grant usage on schema cron to postgres;
  grant select, insert, update on cron.job to postgres;`;

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/**
 * Returns the jobs of pg_cron after the migration has run `times` times in a project with `extensions`. The schema of
 * pg_cron always exists, so that only the migration's check of extensions can keep the jobs away.
 */
async function jobsWith(extensions: readonly string[], times = 1): Promise<unknown[]> {
  await client.query('begin');
  try {
    await client.query(FAKE_CRON);
    await client.query('set local allow_system_table_mods = on');
    await client.query(
      `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
      select 900000 + position, name, 10, 'cron'::regnamespace, false, '1'
      from unnest($1::text[]) with ordinality as fake (name, position)`,
      [extensions],
    );
    await client.query('set local role postgres');
    for (let time = 0; time < times; time += 1) await client.query(SCHEDULE);
    const { rows } = await client.query('select jobname, schedule, command, username from cron.job');
    return rows;
  } finally {
    await client.query('rollback');
  }
}

const JOBS = [
  {
    jobname: 'opine-push',
    schedule: '10 seconds',
    command: "select app.call_function('push')",
    username: 'postgres',
  },
  {
    jobname: 'opine-upkeep',
    schedule: '* * * * *',
    command: "select app.call_function('upkeep')",
    username: 'postgres',
  },
];

test('with pg_cron and pg_net the migration schedules push every ten seconds and upkeep every minute', async () => {
  expect(await jobsWith(['pg_cron', 'pg_net'])).toEqual(JOBS);
});

test('a second run of the migration leaves one job per function', async () => {
  expect(await jobsWith(['pg_cron', 'pg_net'], 2)).toEqual(JOBS);
});

test.each([[[]], [['pg_cron']], [['pg_net']]])(
  'with only %j installed the migration schedules no jobs',
  async (extensions) => {
    expect(await jobsWith(extensions)).toEqual([]);
  },
);

test('a scheduled command calls its function', async () => {
  await client.query('begin');
  try {
    await client.query(`
      create schema vault;
      create view vault.decrypted_secrets as select * from (values ('opine_functions_url', 'https://opine.example'), ('opine_push_secret', 'hush')) as s (name, decrypted_secret);
      create schema net;
      create table net.calls (url text);
      -- All arguments of pg_net, with their defaults.
      create function net.http_post(
        url text, body jsonb default '{}', params jsonb default '{}',
        headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000
      ) returns bigint language sql as $$ insert into net.calls values (url) returning 1 $$;
      grant usage on schema vault, net to postgres;
      grant all on vault.decrypted_secrets, net.calls to postgres;
      set local role postgres`);
    for (const { command } of JOBS) await client.query(command);
    const { rows } = await client.query('select url from net.calls');
    expect(rows).toEqual([{ url: 'https://opine.example/push' }, { url: 'https://opine.example/upkeep' }]);
  } finally {
    await client.query('rollback');
  }
});

test('the migrations contain the schema file of the schedule unchanged', () => {
  const directory = path.join(SUPABASE_DIRECTORY, 'migrations');
  const files = globSync('*.sql', { cwd: directory });
  const migrations = files.map((file) => readFileSync(path.join(directory, file), 'utf8')).join('\n');
  // Not toContain, which prints the migrations in full.
  expect(migrations.includes(SCHEDULE)).toBe(true);
});
