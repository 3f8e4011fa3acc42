import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';

/** A copy of the repository's folder `supabase` that a test may edit; gone when the test ends. */
export type SupabaseCopy = {
  directory: string;
  /** Adds a file, or replaces one; the name is below the folder. */
  write(name: string, text: string): void;
};

/** Copies what the pipeline reads: config, schemas and migrations. */
export function copySupabase(): SupabaseCopy {
  const parent = mkdtempSync(path.join(os.tmpdir(), 'opine-copy-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const directory = path.join(parent, 'supabase');
  for (const entry of ['config.toml', 'schemas', 'migrations']) {
    cpSync(path.join(SUPABASE_DIRECTORY, entry), path.join(directory, entry), { recursive: true });
  }
  return { directory, write: (name, text) => writeFileSync(path.join(directory, name), text) };
}
