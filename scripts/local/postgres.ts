import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { initialiseCluster, SUPERUSER } from './initdb.ts';
import { complaint, createLauncher, exitOf, type Launcher } from './launcher.ts';
import { stopLeftovers } from './leftover.ts';
import { freePort } from './ports.ts';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const PORT_TRIES = 5;

/** A running Postgres. */
export type Cluster = {
  port: number;
  pid: number;
  /** Connection URL as the superuser; the database is `postgres` unless named. */
  url(database?: string): string;
  urlAs(role: string, password: string, database: string): string;
  /** Ends Postgres, its open connections too, and returns when it is gone. */
  stop(): Promise<void>;
  /** The exit code once Postgres is gone, `null` where a signal ended it. */
  exited: Promise<number | null>;
};

/** What a cluster is started with. */
export type ClusterOptions = {
  /** Holds `data` and `postgres.log`; made where it is missing. */
  directory: string;
  superuserPassword: string;
  /** Taken where it is free; else, or where none is given, a free one. */
  port?: number;
  /** `false` trades surviving a crash of the machine for speed. */
  isDurable?: boolean;
  /** Further `postgresql.conf` settings. */
  settings?: Record<string, string>;
};

/**
 * Starts Postgres on a directory, making the cluster first where there is none, and returns when it accepts
 * connections. Processes that a killed run left on the directory are stopped first.
 * @throws LocalError where this machine cannot run it, or it ends while starting
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
    // A port found free a moment ago may be somebody else's by now.
    const isPortLost = (await freePort(port)) === null;
    if (!isPortLost || attempt === PORT_TRIES) throw complaint('Postgres did not start', launcher.logPath);
  }
}

function postgresArguments(launcher: Launcher, options: ClusterOptions, port: number): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // What users send must not reach the log, neither as bind parameters nor as the row of an error's detail.
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_error_verbosity: 'terse',
    // Many vote at once, and what each has read is kept until all beside it have ended.
    max_pred_locks_per_transaction: '256',
    ...(options.isDurable === false
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
      : {}),
    ...options.settings,
  };
  return [
    '-D',
    launcher.pathOf('data'),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function becomesReady(
  dataDirectory: string,
  child: ChildProcess,
  exited: Promise<unknown>,
): Promise<boolean> {
  let hasExited = false;
  exited.then(() => {
    hasExited = true;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!hasExited && Date.now() < deadline) {
    if (isReady(path.join(dataDirectory, 'postmaster.pid'), child.pid)) return true;
    await sleep(20);
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
  // A parent that ends without stopping it, on an uncaught error for example, must not leave Postgres behind.
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
      // What need not survive need not be written either.
      child.kill(isDurable ? 'SIGINT' : 'SIGQUIT');
      const isLate = sleep(STOP_TIMEOUT_MS, true, { ref: false });
      if (await Promise.race([exited.then(() => false), isLate])) child.kill('SIGKILL');
      await exited;
      // Where the postmaster was killed, its backends end by themselves, a moment later.
      await stopLeftovers(dataDirectory);
    },
  };
}
