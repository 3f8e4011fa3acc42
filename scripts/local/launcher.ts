import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, constants, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LocalError } from './errors.ts';
import { findPrograms } from './programs.ts';
import { sharedCopy, type UnixUser, unprivilegedUser } from './unprivileged.ts';

const DIRECTORY_FD = 3;

/** Runs the programs of Postgres on one cluster directory, as a user they agree to run as. */
export type Launcher = {
  /** The user that the programs run as, `null` for the current one. */
  user: UnixUser | null;
  /** What Postgres and its tools write. */
  logPath: string;
  /** The path by which the programs reach an entry of the cluster directory. */
  pathOf(entry: string): string;
  run(program: 'initdb' | 'postgres', args: string[]): ChildProcess;
};

/**
 * Prepares a cluster directory: makes it, gives it to the user that Postgres runs as, and finds the programs.
 * @param directory the cluster directory, absolute
 * @throws LocalError where this machine has no programs for it or no user to run them as
 */
export function createLauncher(directory: string): Launcher {
  const { directory: installed, version } = findPrograms();
  const user = unprivilegedUser(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user) chownSync(directory, user.uid, user.gid);
  const programs = user ? sharedCopy(installed, `postgres-${version}-${process.arch}`) : installed;
  // The clone may lie where the unprivileged user cannot enter, below /root for example. Root opens the cluster
  // directory and hands it down: Linux follows /proc/self/fd/N without asking for the folders above it.
  const isHandedDown = user !== null && process.platform === 'linux';
  const logPath = path.join(directory, 'postgres.log');
  return {
    user,
    logPath,
    pathOf: (entry) => path.join(isHandedDown ? `/proc/self/fd/${DIRECTORY_FD}` : directory, entry),
    run: (program, args) => spawnLogged(path.join(programs, 'bin', program), args, user, directory, logPath),
  };
}

/** The exit code of a program once it is gone; `null` where a signal ended it or it could not be run at all. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
}

/** An error that quotes the last complaint in a log of Postgres or its tools. */
export function complaint(message: string, logPath: string): LocalError {
  const lines = readFileSync(logPath, 'utf8').trimEnd().split('\n');
  const cause = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? '';
  return new LocalError(`${message}: ${cause.trim()} (log: ${logPath})`);
}

function spawnLogged(
  program: string,
  args: string[],
  user: UnixUser | null,
  directory: string,
  logPath: string,
): ChildProcess {
  // The folder belongs to another user than root here, who must not point root's writes elsewhere by a link.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const log = openSync(logPath, flags, 0o600);
  const handle = openSync(directory, 'r');
  try {
    return spawn(program, args, {
      cwd: '/',
      // The user's own PGPORT, PGDATA or locale must not change what is started.
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', log, log, handle],
      // A process group of its own: Ctrl-C in a terminal reaches the parent only, which then stops in order.
      detached: true,
      ...user,
    });
  } finally {
    closeSync(log);
    closeSync(handle);
  }
}
