import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stopLeftovers } from '../local/leftover.ts';
import { type Cluster, startCluster } from '../local/postgres.ts';

const PREFIX = 'opine-throwaway-';

/** An empty Postgres cluster in a temporary folder. */
export type ThrowawayCluster = {
  cluster: Cluster;
  /** The superuser's password, which others roles may be given as well. */
  password: string;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
};

/**
 * Starts a cluster that is meant to be removed, and removes those of processes that were killed before they could.
 * @param settings `postgresql.conf` settings
 * @throws PostgresError where this machine cannot run it
 */
export async function startThrowawayCluster(
  settings: Record<string, string> = {},
): Promise<ThrowawayCluster> {
  await removeAbandoned();
  const directory = mkdtempSync(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`));
  const removeDirectory = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', removeDirectory);
  const password = randomBytes(16).toString('hex');
  try {
    const cluster = await startCluster({
      directory,
      superuserPassword: password,
      isDurable: false,
      settings,
    });
    const remove = async () => {
      await cluster.stop();
      removeDirectory();
      process.removeListener('exit', removeDirectory);
    };
    return { cluster, password, remove };
  } catch (error) {
    removeDirectory();
    throw error;
  }
}

async function removeAbandoned(): Promise<void> {
  for (const entry of readdirSync(os.tmpdir())) {
    const pid = entry.startsWith(PREFIX) ? Number.parseInt(entry.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const directory = path.join(os.tmpdir(), entry);
    await stopLeftovers(path.join(directory, 'data'));
    rmSync(directory, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
