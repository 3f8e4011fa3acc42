import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { ROOT } from './db/paths.ts';

/** The programs that no package of npm brings. */
export const PROGRAMS = [
  'chromium',
  'curl',
  'nginx',
  'openssl',
  'pgbouncer',
  'pg_dump',
  'pg_prove',
  'pg_restore',
  'psql',
] as const;
export type Program = (typeof PROGRAMS)[number];

const OTHER_NAMES: Partial<Record<Program, readonly string[]>> = {
  chromium: ['chromium-browser', 'google-chrome', 'google-chrome-stable', 'Chromium', 'Google Chrome'],
};

// A server 17 is dumped and restored by no older client.
const OLDEST_CLIENT = 17;

/** Where systems put programs that are not on everybody's PATH. */
const FOLDERS = [
  // Of .ci/postgresql-client.
  path.join(ROOT, 'node_modules/.cache/postgresql-client/bin'),
  '/usr/local/bin',
  '/usr/bin',
  '/usr/local/sbin',
  '/usr/sbin',
  '/snap/bin',
  // PostgreSQL of Debian, of Fedora by postgresql.org, and of Homebrew.
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

/** Finds a program on the PATH or in the usual places of Debian, Fedora and macOS; null if there is none that is new enough. */
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

/** Says which programs are missing, and what to do. */
export function missing(programs: readonly Program[]): string {
  return `${programs.map((program) => LABELS[program]).join(' and ')} not found: npm run setup installs it on Debian and Ubuntu`;
}

const CLIENT = `PostgreSQL's client (version ${OLDEST_CLIENT} or newer)`;
const LABELS: Record<Program, string> = {
  chromium: 'Chromium',
  curl: 'curl',
  nginx: 'nginx',
  openssl: 'OpenSSL',
  pgbouncer: 'PgBouncer',
  pg_dump: CLIENT,
  pg_prove: 'pg_prove',
  pg_restore: CLIENT,
  psql: CLIENT,
};

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isNewEnough(program: Program, file: string): boolean {
  if (LABELS[program] !== CLIENT) return true;
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return Number(/\) (\d+)/.exec(stdout ?? '')?.[1]) >= OLDEST_CLIENT;
}
