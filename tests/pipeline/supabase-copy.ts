import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';

// What accounts stand on, in an order in which it can be run: of every sort of declaration one, made in no time.
const PART = [
  '10_foundation/01_roles.sql',
  '10_foundation/02_schemas.sql',
  '10_foundation/03_time_and_ids.sql',
  '10_foundation/04_callers.sql',
  '20_identity/01_tables.sql',
];

/** A folder `supabase` that a test may edit; gone when the test ends. */
export type SupabaseCopy = {
  directory: string;
  /** Adds a file, or replaces one; the name is below the folder. */
  write(name: string, text: string): void;
};

/** Copies a part of what the pipeline reads: config, and some schemas, with one migration that makes them. */
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
  return { directory, write };
}
