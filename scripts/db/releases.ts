import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, SUPABASE_DIRECTORY } from './paths.ts';

/** The migrations of each version, from the first on: file name and SHA-256 (hex). */
export type Releases = Record<string, Record<string, string>>;

/** The name of the file of released migrations, in the folder `supabase`. */
export const RELEASES = 'releases.json';

/** Returns the file of the dump of a version, on which later versions test their migrations. */
export function dumpOf(version: string): string {
  return path.join(ROOT, 'tests/pipeline/releases', `${version}.dump`);
}

/** Reads which migrations have been released. */
export function readReleases(supabaseDirectory = SUPABASE_DIRECTORY): Releases {
  const file = path.join(supabaseDirectory, RELEASES);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Returns the migrations that no version has, with their hashes. */
export function unreleasedMigrations(supabaseDirectory = SUPABASE_DIRECTORY): Record<string, string> {
  const released = new Set(Object.values(readReleases(supabaseDirectory)).flatMap(Object.keys));
  const directory = path.join(supabaseDirectory, 'migrations');
  return Object.fromEntries(
    migrationsIn(directory)
      .filter((file) => !released.has(file))
      .map((file) => [file, hashOf(path.join(directory, file))]),
  );
}

/**
 * Checks that the migrations of a released version are as they were, and that later ones come after them.
 * @returns a line for each that is not
 */
export async function changedReleases(supabaseDirectory = SUPABASE_DIRECTORY): Promise<string> {
  const directory = path.join(supabaseDirectory, 'migrations');
  const present = migrationsIn(directory);
  const released = Object.entries(readReleases(supabaseDirectory)).flatMap(([version, files]) =>
    Object.entries(files).map(([file, hash]) => ({ version, file, hash })),
  );
  const changed = released
    .filter(({ file, hash }) => !present.includes(file) || hashOf(path.join(directory, file)) !== hash)
    .map(
      ({ version, file }) => `${file} is not as version ${version} has it: databases out there do not change`,
    );
  const last = released.at(-1)?.file ?? '';
  const early = Object.keys(unreleasedMigrations(supabaseDirectory))
    .filter((file) => file < last)
    .map((file) => `${file} would be applied before ${last}, which is released`);
  return [...changed, ...early].join('\n');
}

function migrationsIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort();
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
