import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { RELEASES, unreleasedMigrations } from '../../scripts/db/releases.ts';

// The schema of accounts: it has every kind of declaration and runs fast.
const PART = [
  '10_foundation/01_roles.sql',
  '10_foundation/02_schemas.sql',
  '10_foundation/03_time_and_ids.sql',
  '10_foundation/04_callers.sql',
  '10_foundation/05_arguments.sql',
  '10_foundation/09_words.sql',
  '20_identity/01_tables.sql',
];

/** A folder `supabase` to edit. */
export type SupabaseCopy = {
  directory: string;
  /** Writes a file below the folder. */
  write(name: string, text: string): void;
  /** Releases its migrations as a version. */
  release(version: string): void;
};

/** Copies config.toml and a part of the schemas with one migration of them; removes the copy after the test. */
export function copySupabase(): SupabaseCopy {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'opine-copy-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const directory = path.join(parent, 'supabase');
  const schemas = path.join(SUPABASE_DIRECTORY, 'schemas');
  for (const file of PART) cpSync(path.join(schemas, file), path.join(directory, 'schemas', file));
  cpSync(path.join(SUPABASE_DIRECTORY, 'config.toml'), path.join(directory, 'config.toml'));
  mkdirSync(path.join(directory, 'migrations'));
  const write = (name: string, text: string) => writeFileSync(path.join(directory, name), text);
  const texts = PART.map((file) => readFileSync(path.join(schemas, file), 'utf8'));
  write('migrations/20260101000000_part.sql', texts.join('\n'));
  const release = (version: string) =>
    write(RELEASES, JSON.stringify({ [version]: unreleasedMigrations(directory) }));
  return { directory, write, release };
}
