import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { SUPERUSER } from '../../scripts/local/postgres.ts';
import type { DB } from '../../src/db/types.ts';
import { TEMPLATE } from './cluster.ts';
import { installPgtap } from './pgtap.ts';

/** Login roles besides the superuser. */
export type TestRole = 'postgres' | 'opine_gateway' | 'opine_serializable' | 'opine_worker';

/** The migrated database of a test file. */
export type TestDatabase = {
  name: string;
  /** Bypasses every policy: for fixtures and for assertions on stored rows. */
  superuser: Kysely<DB>;
  superuserUrl: string;
  urlAs(role: TestRole): string;
  /** Closes `superuser` and drops the database, connected clients included. */
  drop(): Promise<void>;
};

/** Creates a migrated, empty database; the caller drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runAsSuperuser(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  const superuserUrl = urlOf(SUPERUSER, name);
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 4 });
  // drop() ends idle connections; that is no failure.
  pool.on('error', () => {});
  const superuser = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    name,
    superuser,
    superuserUrl,
    urlAs: (role) => urlOf(role, name),
    drop: async () => {
      await superuser.destroy();
      await runAsSuperuser(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Creates a migrated database with pgTAP; the caller drops it. */
export async function createPgtapDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await installPgtap(database.superuserUrl);
  return database;
}

function runAsSuperuser(sql: string): Promise<unknown> {
  return withClient(urlOf(SUPERUSER, 'postgres'), (client) => client.query(sql));
}

/** Runs `use` while no other process of this run is in a `use` of the same name. */
export function oneAtATime<T>(name: string, use: () => Promise<T>): Promise<T> {
  return withClient(urlOf(SUPERUSER, 'postgres'), async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    return use();
  });
}

function urlOf(role: string, database: string): string {
  const { port, password } = inject('postgres');
  return `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
}
