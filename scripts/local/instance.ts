import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LocalError } from './errors.ts';

const SQLITE_BUSY = 5;

/**
 * Claims a local directory for this process until it ends.
 *
 * The lock is SQLite's on a file: the system gives it up with the process, however that ends, so that neither a
 * `kill -9` nor a process number used again can leave a wrong claim behind, as a file with a number in it would.
 * @param directory a directory that can be written
 * @throws LocalError naming the process that holds it
 */
export function claimDirectory(directory: string): Disposable {
  const holder = path.join(directory, 'pid');
  const lock = new DatabaseSync(path.join(directory, 'lock'));
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw new LocalError(`LOCAL_DIR ${directory} cannot be locked: ${error}`);
    const pid = readHolder(holder);
    throw new LocalError(
      `LOCAL_DIR ${directory} is in use by process ${pid}: stop it, or set another LOCAL_DIR and PORT`,
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  return { [Symbol.dispose]: () => lock.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
