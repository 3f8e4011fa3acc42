import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Login } from '../../src/db/pool.ts';
import { SUPABASE_DIRECTORY } from '../db/paths.ts';
import { declaredDatabase, startThrowawayCluster, WITHOUT_LIMITS } from '../db/throwaway.ts';
import { withClient } from '../local/connection.ts';
import { setPassword } from '../local/database.ts';
import { fill, populate } from './population.ts';

const TEMPLATE = 'bench_template';
const LOGINS: readonly Login[] = ['opine_gateway', 'opine_serializable', 'opine_worker'];

// Without durability a vote would be cheaper than in production.
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** A populated database. */
export interface Database {
  readonly name: string;
  readonly superuserUrl: string;
  urlAs(login: Login): string;
}

/** A cluster whose databases all start as copies of the population. */
export interface World extends AsyncDisposable {
  /** A temporary folder, removed with the cluster. */
  readonly directory: string;
  /** @param template the database to copy; by default the population */
  createDatabase(template?: Database): Promise<Database>;
  /**
   * Creates a database with the population and more.
   * @param supabaseDirectory the parent of `schemas`
   * @param scripts SQL that follows the population, as `fill` takes it
   */
  declareDatabase(supabaseDirectory: string, scripts: readonly string[]): Promise<Database>;
}

/**
 * Starts Postgres with the settings of `npm start` and fills the template of all databases. Its schema is that of
 * `supabase/schemas`, so that a change of SQL can be measured before it is a migration.
 */
export async function startWorld(): Promise<World> {
  await using parts = new AsyncDisposableStack();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-bench-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  parts.defer(removeDirectory);
  const { cluster, password, remove } = await startThrowawayCluster({ ...DURABLE, ...WITHOUT_LIMITS });
  parts.defer(remove);
  const declare = async (name: string, supabaseDirectory: string) => {
    await declaredDatabase(cluster, name, supabaseDirectory);
    await setPassword(cluster.url(name), [...LOGINS], password);
    await populate(cluster.url(name));
  };
  await declare(TEMPLATE, SUPABASE_DIRECTORY);
  const started = parts.move();
  const databaseOf = (name: string): Database => ({
    name,
    superuserUrl: cluster.url(name),
    urlAs: (login) => cluster.urlAs(login, password, name),
  });
  let created = 0;
  return {
    directory,
    createDatabase: async (template) => {
      created += 1;
      const name = `bench_${created}`;
      await withClient(cluster.url(), (client) =>
        client.query(`create database ${name} template ${template?.name ?? TEMPLATE}`),
      );
      return databaseOf(name);
    },
    declareDatabase: async (supabaseDirectory, scripts) => {
      created += 1;
      const name = `bench_${created}`;
      await declare(name, supabaseDirectory);
      await fill(cluster.url(name), ...scripts);
      return databaseOf(name);
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/**
 * Runs a function with a superuser's connection once no other client is connected: a backend reports its statistics at
 * the latest when it ends.
 */
export function onceAlone<T>(
  { superuserUrl, name }: Database,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient(superuserUrl, async (client) => {
    const others = `
      select from pg_stat_activity as a
      where a.datname = $1 and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'`;
    while ((await client.query(others, [name])).rowCount !== 0) await pause(50);
    return use(client);
  });
}

/** Connects until `parts` is disposed. */
export async function connect(url: string, parts: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  parts.defer(() => client.end());
  return client;
}
