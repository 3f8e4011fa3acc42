import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { SUPABASE_DIRECTORY } from '../../../scripts/db/paths.ts';
import { migratedDatabase } from '../../../scripts/db/throwaway.ts';
import { withClient } from '../../../scripts/local/connection.ts';
import { setPassword } from '../../../scripts/local/database.ts';
import { stopLeftovers } from '../../../scripts/local/leftover.ts';
import { type Cluster, startCluster } from '../../../scripts/local/postgres.ts';
import type { DB } from '../../../src/db/types.ts';
import type { TestDatabase } from '../../support/database.ts';

/** How Postgres ends without a word: all of it at once (`pg_ctl stop -m immediate`), or the postmaster alone. */
export type Crash = 'SIGQUIT' | 'SIGKILL';

/** A migrated database in a cluster of its own, which keeps what is committed when it crashes. */
export interface CrashingDatabase extends TestDatabase {
  /** Holds `data`. */
  readonly directory: string;
  /** Ends Postgres, and returns when it is away. */
  crash(how: Crash): Promise<void>;
  /** Starts Postgres again where it was, and returns when it takes connections. */
  recover(): Promise<void>;
}

const NAME = 'opine';

/** Makes a database that may crash, for the caller to drop with its cluster. */
export async function aCrashingDatabase(): Promise<CrashingDatabase> {
  // Named as those of a run that was killed, which the next run removes.
  const directory = mkdtempSync(path.join(os.tmpdir(), `opine-throwaway-${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  const password = randomBytes(16).toString('hex');
  const start = (port?: number) =>
    startCluster({
      directory,
      superuserPassword: password,
      // Nothing but a commit itself writes it down in time.
      settings: { wal_writer_delay: '10s' },
      ...(port !== undefined && { port }),
    });
  let cluster = await start();
  const end = async (how: Crash) => {
    process.kill(cluster.pid, how);
    await cluster.exited;
    // Where the postmaster was killed, its backends end by themselves, a moment later.
    await stopLeftovers(path.join(directory, 'data'));
  };
  const remove = async () => {
    // In order it would write down first what is thrown away.
    await end('SIGQUIT');
    removeDirectory();
    process.removeListener('exit', removeDirectory);
  };
  try {
    await prepare(cluster, password);
  } catch (error) {
    await remove();
    throw error;
  }
  const superuserUrl = cluster.url(NAME);
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 4 });
  // A connection that a crash ends while it idles is no failure of the test.
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
      if (cluster.port !== port) throw new Error(`Somebody else has taken port ${port}.`);
    },
    drop: async () => {
      await superuser.destroy();
      await remove();
    },
  };
}

async function prepare(cluster: Cluster, password: string): Promise<void> {
  await migratedDatabase(cluster, NAME, SUPABASE_DIRECTORY);
  const logins = await withClient(cluster.url(), async (client) => {
    const { rows } = await client.query<{ rolname: string }>(
      `select rolname from pg_roles where rolname ~ '^(postgres$|opine_)' and rolcanlogin`,
    );
    return rows.map(({ rolname }) => rolname);
  });
  await setPassword(cluster.url(), logins, password);
}
