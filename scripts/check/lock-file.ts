import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

type LockedPackage = { version?: string; optionalDependencies?: Record<string, string> };

const EXACT = /^\d/;

/**
 * Finds packages of other platforms that the lock file lacks. npm leaves one out that it could not look up when the
 * lock file was written, and `npm ci` then refuses the lock file everywhere.
 * @returns a line for each, empty where there is none
 */
export async function missingPlatformPackages(): Promise<string> {
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const packages: Record<string, LockedPackage> = lock.packages;
  return Object.entries(packages)
    .flatMap(([place, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name, range]) => {
          const found = packages[`${place}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
          return !found || (EXACT.test(range) && found.version !== range);
        })
        .map(([name, range]) => `${place} may need ${name} ${range}, which package-lock.json does not have`),
    )
    .join('\n');
}
