import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { SUPABASE_DIRECTORY } from '../../../scripts/db/paths.ts';
import { migratedDatabase, WITHOUT_LIMITS } from '../../../scripts/db/throwaway.ts';
import { withClient } from '../../../scripts/local/connection.ts';
import { setPassword } from '../../../scripts/local/database.ts';
import { stopLeftovers } from '../../../scripts/local/leftover.ts';
import { type ClusterUrls, startCluster } from '../../../scripts/local/postgres.ts';
import type { DB } from '../../../src/db/types.ts';
import type { TestDatabase } from '../../support/database.ts';

/** SIGQUIT ends all of Postgres at once (`pg_ctl stop -m immediate`), SIGKILL the postmaster alone. */
export type Crash = 'SIGQUIT' | 'SIGKILL';

/** A migrated database in its own cluster, which keeps its commits through a crash. */
export interface CrashingDatabase extends TestDatabase {
  /** The parent of the data directory. */
  readonly directory: string;
  /** Ends Postgres and waits for its exit. */
  crash(how: Crash): Promise<void>;
  /** Starts Postgres again on the same port and waits until it accepts connections. */
  recover(): Promise<void>;
}

const NAME = 'opine';

/** Creates a database that may crash; the caller drops it with its cluster. */
export async function createCrashingDatabase(): Promise<CrashingDatabase> {
  // The next run removes directories of this name after a killed run.
  const directory = mkdtempSync(path.join(os.tmpdir(), `opine-throwaway-${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  const password = randomBytes(16).toString('hex');
  const start = (port?: number) =>
    startCluster({
      directory,
      superuserPassword: password,
      // Only a commit flushes the WAL in time.
      settings: { ...WITHOUT_LIMITS, wal_writer_delay: '10s' },
      ...(port !== undefined && { port }),
    });
  let cluster = await start();
  const end = async (how: Crash) => {
    process.kill(cluster.pid, how);
    await cluster.exited;
    // The backends of a killed postmaster end a moment later.
    await stopLeftovers(path.join(directory, 'data'));
  };
  const remove = async () => {
    // An orderly shutdown would flush data that is deleted anyway.
    await end('SIGQUIT');
    removeDirectory();
    process.removeListener('exit', removeDirectory);
  };
  try {
    await prepareDatabase(cluster, NAME, password);
  } catch (error) {
    await remove();
    throw error;
  }
  const superuserUrl = cluster.url(NAME);
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 4 });
  // A crash may end idle connections.
  pool.on('error', () => {});
  const superuser = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    directory,
    name: NAME,
    superuser,
    superuserUrl,
    urlAs: (role) => cluster.urlAs(role, password, NAME),
    crash: end,
    recover: async () => {
      const { port } = cluster;
      cluster = await start(port);
      if (cluster.port !== port) throw new Error(`Port ${port} is taken.`);
    },
    drop: async () => {
      await superuser.destroy();
      await remove();
    },
  };
}

/** Creates a migrated database in a cluster, by default one of today, and gives its logins a password. */
export async function prepareDatabase(
  cluster: ClusterUrls,
  name: string,
  password: string,
  supabaseDirectory = SUPABASE_DIRECTORY,
): Promise<void> {
  await migratedDatabase(cluster, name, supabaseDirectory);
  const logins = await withClient(cluster.url(), async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles where rolname ~ '^(postgres$|opine_)' and rolcanlogin`,
    );
    return rows.map(({ rolname }) => rolname);
  });
  await setPassword(cluster.url(), logins, password);
}
