import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Login } from '../../src/db/logins.ts';
import { SUPABASE_DIRECTORY } from '../db/paths.ts';
import { declaredDatabase } from '../db/throwaway.ts';
import { withClient } from '../local/connection.ts';
import { setPassword } from '../local/database.ts';
import { startCluster } from '../local/postgres.ts';
import { populate } from './population.ts';

const TEMPLATE = 'bench_template';
const LOGINS: readonly Login[] = ['opine_gateway', 'opine_serializable', 'opine_worker'];

/** A populated database of one comparison. */
export interface Database {
  readonly name: string;
  readonly superuserUrl: string;
  urlAs(login: Login): string;
}

/** A cluster of its own whose databases start out equal. */
export interface World extends AsyncDisposable {
  /** A folder for files, gone with the world. */
  readonly directory: string;
  createDatabase(): Promise<Database>;
}

/**
 * Starts Postgres with the settings of `npm start`, durable, and populates the database that others are copies of. It
 * has what `supabase/schemas` says now, so that a change of SQL is measured without a migration.
 */
export async function startWorld(): Promise<World> {
  await using parts = new AsyncDisposableStack();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-bench-'));
  parts.defer(() => rmSync(directory, { recursive: true, force: true }));
  const password = randomBytes(16).toString('hex');
  const cluster = await startCluster({
    directory: path.join(directory, 'postgres'),
    superuserPassword: password,
  });
  parts.defer(() => cluster.stop());
  await declaredDatabase(cluster, TEMPLATE, SUPABASE_DIRECTORY);
  await setPassword(cluster.url(TEMPLATE), [...LOGINS], password);
  await populate(cluster.url(TEMPLATE));
  const started = parts.move();
  return {
    directory,
    createDatabase: async () => {
      const name = `bench_${randomBytes(4).toString('hex')}`;
      await withClient(cluster.url(), (client) =>
        client.query(`create database ${client.escapeIdentifier(name)} template ${TEMPLATE}`),
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
