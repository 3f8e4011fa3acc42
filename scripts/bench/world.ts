import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Login } from '../../src/db/pool.ts';
import { SUPABASE_DIRECTORY } from '../db/paths.ts';
import { declaredDatabase, startThrowawayCluster } from '../db/throwaway.ts';
import { withClient } from '../local/connection.ts';
import { setPassword } from '../local/database.ts';
import { populate } from './population.ts';

const TEMPLATE = 'bench_template';
const LOGINS: readonly Login[] = ['opine_gateway', 'opine_serializable', 'opine_worker'];

// A vote that could be lost would be cheaper than any that people cast.
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** A populated database of one comparison. */
export interface Database {
  readonly name: string;
  readonly superuserUrl: string;
  urlAs(login: Login): string;
}

/** A cluster of its own, in which every database starts out the same. */
export interface World extends AsyncDisposable {
  /** A folder for files, gone with the world. */
  readonly directory: string;
  createDatabase(): Promise<Database>;
}

/**
 * Starts Postgres with the settings of `npm start` and fills the database that the others are copies of. It has what
 * `supabase/schemas` says now: a change of SQL is measured before it is a migration.
 */
export async function startWorld(): Promise<World> {
  await using parts = new AsyncDisposableStack();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-bench-'));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  parts.defer(removeDirectory);
  const { cluster, password, remove } = await startThrowawayCluster(DURABLE);
  parts.defer(remove);
  await declaredDatabase(cluster, TEMPLATE, SUPABASE_DIRECTORY);
  await setPassword(cluster.url(TEMPLATE), [...LOGINS], password);
  await populate(cluster.url(TEMPLATE));
  const started = parts.move();
  let made = 0;
  return {
    directory,
    createDatabase: async () => {
      made += 1;
      const name = `bench_${made}`;
      await withClient(cluster.url(), (client) =>
        client.query(`create database ${name} template ${TEMPLATE}`),
      );
      return {
        name,
        superuserUrl: cluster.url(name),
        urlAs: (login) => cluster.urlAs(login, password, name),
      };
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
