import type { ChildProcess } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLauncher, errorFromLog, exitOf, type Launcher } from './launcher.ts';
import { stopLeftovers } from './leftover.ts';
import { freePort } from './ports.ts';

/** The superuser of every embedded cluster, named like Supabase's. */
export const SUPERUSER = 'supabase_admin';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const PORT_TRIES = 5;

/** The addresses of a Postgres. */
export type ClusterUrls = {
  /** Returns the superuser's connection URL, by default of the database `postgres`. */
  url(database?: string): string;
  urlAs(role: string, password: string, database: string): string;
};

/** A running Postgres. */
export type Cluster = ClusterUrls & {
  port: number;
  pid: number;
  /** Ends Postgres and its open connections, and waits for the end. */
  stop(): Promise<void>;
  /** The exit code after the end of Postgres, `null` after a signal. */
  exited: Promise<number | null>;
};

/** Options of `startCluster`. */
export type ClusterOptions = {
  /** Parent of `data` and `postgres.log`, created if it is missing. */
  directory: string;
  superuserPassword: string;
  /** The port if it is free; any free one otherwise. */
  port?: number;
  /** `false` gives up durability after a crash of the machine for speed. */
  isDurable?: boolean;
  /** Further `postgresql.conf` settings. */
  settings?: Record<string, string>;
};

/**
 * Starts Postgres on a directory, and returns when it accepts connections. Creates the cluster if there is none. Stops
 * processes of a killed run on the directory first.
 * @throws LocalError if this machine cannot run it, or it ends during the start
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const directory = path.resolve(options.directory);
  const launcher = createLauncher(directory);
  const dataDirectory = path.join(directory, 'data');
  await stopLeftovers(dataDirectory);
  if (!existsSync(dataDirectory)) await initialiseCluster(launcher, directory, options);
  for (let attempt = 1; ; attempt += 1) {
    const port = (await freePort(options.port)) ?? (await freePort()) ?? 0;
    const child = launcher.run('postgres', postgresArguments(launcher, options, port));
    const exited = exitOf(child);
    if (await becomesReady(dataDirectory, child, exited)) {
      return describeCluster(child, exited, dataDirectory, port, options);
    }
    // Another process may have taken the port in the meantime.
    const isPortLost = (await freePort(port)) === null;
    if (!isPortLost || attempt === PORT_TRIES) throw errorFromLog('Postgres did not start', launcher.logPath);
  }
}

/** @throws LocalError if initdb fails; no `data` is left then */
async function initialiseCluster(
  launcher: Launcher,
  directory: string,
  options: ClusterOptions,
): Promise<void> {
  for (const entry of readdirSync(directory)) {
    if (entry.startsWith('initdb-')) rmSync(path.join(directory, entry), { recursive: true, force: true });
  }
  const data = `initdb-${process.pid}-${Date.now()}`;
  const passwordFile = path.join(directory, `${data}.password`);
  writeFileSync(passwordFile, `${options.superuserPassword}\n`, { mode: 0o600, flag: 'wx' });
  if (launcher.user) chownSync(passwordFile, launcher.user.uid, launcher.user.gid);
  try {
    const code = await exitOf(
      launcher.run('initdb', [
        `--pgdata=${launcher.pathOf(data)}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${launcher.pathOf(path.basename(passwordFile))}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(options.isDurable === false ? ['--no-sync'] : []),
      ]),
    );
    if (code !== 0) throw errorFromLog('initdb failed', launcher.logPath);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // The rename comes last: a run killed at any moment leaves a whole cluster or none.
  renameSync(path.join(directory, data), path.join(directory, 'data'));
}

function postgresArguments(launcher: Launcher, options: ClusterOptions, port: number): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log must not have user data, neither as bind parameters nor as the row of an error's detail.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    // Postgres keeps the predicate locks of a vote until all concurrent ones end.
    max_pred_locks_per_transaction: '256',
    ...(options.isDurable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', launcher.pathOf('data'), ...flags];
}

async function becomesReady(
  dataDirectory: string,
  child: ChildProcess,
  exited: Promise<unknown>,
): Promise<boolean> {
  const hasExited = exited.then(() => true);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (isReady(path.join(dataDirectory, 'postmaster.pid'), child.pid)) return true;
    if (await Promise.race([hasExited, sleep(20, false)])) break;
  }
  child.kill('SIGKILL');
  await exited;
  return false;
}

function isReady(pidFile: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function describeCluster(
  child: ChildProcess,
  exited: Promise<number | null>,
  dataDirectory: string,
  port: number,
  { superuserPassword, isDurable = true }: ClusterOptions,
): Cluster {
  const urlAs = (role: string, rolePassword: string, database: string) =>
    `postgresql://${role}:${encodeURIComponent(rolePassword)}@127.0.0.1:${port}/${database}`;
  // Stops Postgres when the parent ends without calling stop, by an uncaught error for example.
  const stopWithParent = () => child.kill('SIGINT');
  process.once('exit', stopWithParent);
  exited.then(() => process.removeListener('exit', stopWithParent));
  return {
    port,
    pid: child.pid ?? 0,
    url: (database = 'postgres') => urlAs(SUPERUSER, superuserPassword, database),
    urlAs,
    exited,
    stop: async () => {
      // SIGQUIT skips the final checkpoint, which a temporary cluster does not need.
      child.kill(isDurable ? 'SIGINT' : 'SIGQUIT');
      const isLate = sleep(STOP_TIMEOUT_MS, true, { ref: false });
      if (await Promise.race([exited.then(() => false), isLate])) child.kill('SIGKILL');
      await exited;
      // Backends of a killed postmaster end by themselves, a moment later.
      await stopLeftovers(dataDirectory);
    },
  };
}
