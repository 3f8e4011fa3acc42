import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT, SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { dumpOf, readReleases } from '../../scripts/db/releases.ts';

/** The versions whose databases can be upgraded, oldest first. */
export const VERSIONS = Object.keys(readReleases());

/** The version from which a cluster is upgraded, whose service runs in the test. */
export const NEWEST = VERSIONS.at(-1) ?? '';

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
 * Takes the service of a version out of git, with the packages that `installPackages` has installed.
 * @param directory receives the files
 */
export function checkOutService(version: string, directory: string): void {
  extract(version, directory, ['src', 'package.json']);
  symlinkSync(path.join(packagesOf(version), 'node_modules'), path.join(directory, 'node_modules'));
}

/** Installs the packages of a version by its own lock file, once: those of today may lack some of them. */
export function installPackages(version: string): void {
  const directory = packagesOf(version);
  // The last file that npm writes.
  if (existsSync(path.join(directory, 'node_modules/.package-lock.json'))) return;
  mkdirSync(directory, { recursive: true });
  extract(version, directory, ['clients', 'package.json', 'package-lock.json']);
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', directory];
  execFileSync('npm', ['ci', ...options], { cwd: directory, stdio: 'inherit' });
}

function packagesOf(version: string): string {
  return path.join(ROOT, 'node_modules/.cache/released', version);
}

/** Takes files of a version out of the commit that added its dump. */
function extract(version: string, directory: string, files: readonly string[]): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 28 });
  const dump = path.relative(ROOT, dumpOf(version));
  const commit = git('log', '--max-count=1', '--diff-filter=A', '--format=%H', '--', dump).toString().trim();
  execFileSync('tar', ['-x', '-C', directory], { input: git('archive', commit, ...files) });
}
