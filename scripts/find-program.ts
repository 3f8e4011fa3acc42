import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { ROOT } from './db/paths.ts';

// An older client cannot dump or restore a server 17.
const OLDEST_CLIENT = 17;
const CLIENT = `PostgreSQL's client (version ${OLDEST_CLIENT} or newer)`;

/** The programs that npm does not install, with their titles. */
const TITLES = {
  chromium: 'Chromium',
  curl: 'curl',
  nginx: 'nginx',
  openssl: 'OpenSSL',
  pgbouncer: 'PgBouncer',
  pg_dump: CLIENT,
  pg_prove: 'pg_prove',
  pg_restore: CLIENT,
  psql: CLIENT,
  zsh: 'zsh',
};
export type Program = keyof typeof TITLES;
export const PROGRAMS = Object.keys(TITLES) as Program[];

const OTHER_NAMES: Partial<Record<Program, readonly string[]>> = {
  chromium: ['chromium-browser', 'google-chrome', 'google-chrome-stable', 'Chromium', 'Google Chrome'],
};

/** Folders of programs that are not on every user's PATH. */
const FOLDERS = [
  // .ci/postgresql-client installs into it.
  path.join(ROOT, 'node_modules/.cache/postgresql-client/bin'),
  '/usr/local/bin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/snap/bin',
  // PostgreSQL of Debian, of postgresql.org on Fedora, and of Homebrew.
  ...[18, 17].flatMap((version) => [
    `/usr/lib/postgresql/${version}/bin`,
    `/usr/pgsql-${version}/bin`,
    `/opt/homebrew/opt/postgresql@${version}/bin`,
    `/usr/local/opt/postgresql@${version}/bin`,
  ]),
  '/opt/homebrew/opt/libpq/bin',
  '/usr/local/opt/libpq/bin',
  '/opt/homebrew/bin',
  '/Applications/Chromium.app/Contents/MacOS',
  '/Applications/Google Chrome.app/Contents/MacOS',
];

/** Finds a program that is new enough, on the PATH or in the usual folders of Debian, Fedora and macOS; null without one. */
export function findProgram(program: Program): string | null {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(path.isAbsolute), ...FOLDERS];
  const names = [program, ...(OTHER_NAMES[program] ?? [])];
  const files = folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  return files.find((file) => isExecutable(file) && isNewEnough(program, file)) ?? null;
}

/**
 * Finds a program, as `findProgram`.
 * @throws Error naming the command that installs it
 */
export function requireProgram(program: Program): string {
  const file = findProgram(program);
  if (file === null) throw new Error(`${missing([program])}.`);
  return file;
}

/** Returns a text that names missing programs and the command that installs them. */
export function missing(programs: readonly Program[]): string {
  return `${programs.map((program) => TITLES[program]).join(' and ')} not found: npm run setup installs it on Debian and Ubuntu`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isNewEnough(program: Program, file: string): boolean {
  if (TITLES[program] !== CLIENT) return true;
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return Number(/\) (\d+)/.exec(stdout ?? '')?.[1]) >= OLDEST_CLIENT;
}
