import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { dumpOf, readReleases } from '../../scripts/db/releases.ts';

/** The versions whose databases can be upgraded, oldest first. */
export const VERSIONS = Object.keys(readReleases());

/**
 * Copies the migrations that databases of a version have.
 * @param directory the parent of the copy
 * @returns the copy, a folder named `supabase`
 */
export function copyMigrationsOf(version: string, directory: string): string {
  const copy = path.join(directory, 'supabase');
  mkdirSync(path.join(copy, 'migrations'), { recursive: true });
  cpSync(path.join(SUPABASE_DIRECTORY, 'config.toml'), path.join(copy, 'config.toml'));
  const upTo = Object.entries(readReleases()).slice(0, VERSIONS.indexOf(version) + 1);
  for (const file of upTo.flatMap(([, migrations]) => Object.keys(migrations))) {
    cpSync(path.join(SUPABASE_DIRECTORY, 'migrations', file), path.join(copy, 'migrations', file));
  }
  return copy;
}

/**
 * Takes the service of a version out of git: it is the one of the commit that added the dump.
 * @param directory receives the files, and the packages of today
 */
export function checkOutService(version: string, directory: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 28 });
  const dump = path.relative(ROOT, dumpOf(version));
  const commit = git('log', '--max-count=1', '--diff-filter=A', '--format=%H', '--', dump).toString().trim();
  const archive = git('archive', commit, 'src', 'package.json');
  execFileSync('tar', ['-x', '-C', directory], { input: archive });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(directory, 'node_modules'));
}
