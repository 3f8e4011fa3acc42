import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { withClient } from '../../scripts/local/connection.ts';
import { stopLeftovers } from '../../scripts/local/leftover.ts';
import { SUPERUSER, startCluster } from '../../scripts/local/postgres.ts';
import type { DB } from '../../src/db/types.ts';
import type { CrashingDatabase } from '../simulations/votes/crashing-database.ts';

/** A streaming replica in its own cluster. */
export interface StreamingReplica {
  readonly superuser: Kysely<DB>;
  /** The database URL of the login for requests. */
  readonly url: string;
  /** Kills the replica by SIGKILL. */
  kill(): Promise<void>;
  /** Starts the replica again on the same port. */
  start(): Promise<void>;
  /** Runs `use` while WAL replay is paused. */
  whilePaused<T>(use: () => Promise<T>): Promise<T>;
  /** Stops the replica and deletes its files. */
  remove(): Promise<void>;
}

/** Copies a running primary and starts the copy as its replica; the embedded Postgres has no pg_basebackup. */
export async function startReplica(primary: CrashingDatabase): Promise<StreamingReplica> {
  const directory = mkdtempSync(path.join(os.tmpdir(), `opine-throwaway-${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  await copy(primary, directory);
  const { port: primaryPort, password } = new URL(primary.superuserUrl);
  const start = (port?: number) =>
    startCluster({
      directory,
      superuserPassword: password,
      isDurable: false,
      settings: {
        primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${SUPERUSER} password=${password}`,
        wal_retrieve_retry_interval: '200ms',
      },
      ...(port !== undefined && { port }),
    });
  let cluster = await start();
  const kill = async () => {
    process.kill(cluster.pid, 'SIGKILL');
    await cluster.exited;
    await stopLeftovers(path.join(directory, 'data'));
  };
  const pool = new pg.Pool({ connectionString: cluster.url(primary.name), max: 2 });
  pool.on('error', () => {});
  const superuser = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    superuser,
    url: cluster.urlAs('opine_gateway', password, primary.name),
    kill,
    start: async () => {
      const { port } = cluster;
      cluster = await start(port);
      if (cluster.port !== port) throw new Error(`Another process has taken port ${port}.`);
    },
    whilePaused: async (use) => {
      await sql`select pg_wal_replay_pause()`.execute(superuser);
      while (!(await isPaused(superuser)));
      try {
        return await use();
      } finally {
        await sql`select pg_wal_replay_resume()`.execute(superuser);
      }
    },
    remove: async () => {
      await superuser.destroy();
      await kill();
      removeDirectory();
      process.removeListener('exit', removeDirectory);
    },
  };
}

async function isPaused(superuser: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ state: string }>`select pg_get_wal_replay_pause_state() as state`.execute(
    superuser,
  );
  return rows[0]?.state === 'paused';
}

/** Copies like pg_basebackup: WAL replay repairs what changes during the copy. */
async function copy(primary: CrashingDatabase, directory: string): Promise<void> {
  const [from, to] = [path.join(primary.directory, 'data'), path.join(directory, 'data')];
  await withClient(primary.superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('replica', fast => true)`);
    execFileSync('cp', ['-a', from, to]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    writeFileSync(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  rmSync(path.join(to, 'postmaster.pid'));
  writeFileSync(path.join(to, 'standby.signal'), '');
  const { uid, gid } = statSync(to);
  for (const entry of ['.', 'data/backup_label', 'data/standby.signal']) {
    chownSync(path.join(directory, entry), uid, gid);
  }
}
