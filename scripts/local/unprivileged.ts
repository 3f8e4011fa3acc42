import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LocalError } from './errors.ts';

/** A user and its primary group, by number. */
export type UnixUser = { uid: number; gid: number };

/**
 * The user Postgres must run as, or `null` where the current user will do.
 *
 * Postgres refuses to run as root. The owner of an existing cluster is kept; a new one belongs to `postgres`, or
 * else `nobody`.
 * @param directory the cluster's directory, which may not exist yet
 * @throws LocalError where root finds neither user
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
  throw new LocalError('Postgres does not run as root, and there is neither a user "postgres" nor "nobody"');
}

/**
 * A copy of a folder of programs that every user may enter and run.
 * @param source the folder
 * @param name the copy's name: a copy of this name is made once and then shared
 * @returns the copy's path
 * @throws LocalError where no place for it is writable
 */
export function sharedCopy(source: string, name: string): string {
  const parent = sharedDirectory();
  const target = path.join(parent, name);
  if (existsSync(target)) return target;
  const temporary = mkdtempSync(path.join(parent, `${name}.`));
  try {
    cpSync(source, temporary, { recursive: true, verbatimSymlinks: true });
    openToEveryone(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process may have made the same copy at the same time.
    if (!existsSync(target)) throw error;
  }
  return target;
}

function sharedDirectory(): string {
  for (const candidate of ['/var/cache/opine', path.join(os.tmpdir(), 'opine-cache')]) {
    try {
      mkdirSync(candidate, { recursive: true });
      const stats = lstatSync(candidate);
      // Programs found here are run: a folder that anybody else could have filled is not trusted.
      if (!stats.isDirectory() || stats.uid !== 0) continue;
      chmodSync(candidate, 0o755);
      return candidate;
    } catch {}
  }
  throw new LocalError('found no writable folder for a copy of the Postgres programs');
}

function openToEveryone(entry: string): void {
  const stats = lstatSync(entry);
  if (stats.isSymbolicLink()) return;
  const isProgram = stats.isDirectory() || (stats.mode & 0o100) !== 0;
  chmodSync(entry, isProgram ? 0o755 : 0o644);
  if (stats.isDirectory()) for (const child of readdirSync(entry)) openToEveryone(path.join(entry, child));
}
