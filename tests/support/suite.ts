import { globSync } from 'node:fs';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { ROOT } from '../../scripts/db/paths.ts';
import { findProgram, missing, PROGRAMS } from '../../scripts/find-program.ts';
import { hasTools } from '../../scripts/tools.ts';

if (process.env.NODE_ENV === 'production') throw new Error('Tests do not run with NODE_ENV=production.');

type Options = ViteUserConfig['test'] & { readonly include: string[]; readonly exclude?: string[] };

/** What packages, deploys and shows the product. */
export const SYSTEM = ['client', 'edge', 'local', 'pages', 'pipeline'].map(
  (folder) => `tests/${folder}/**/*.test.ts`,
);

/** Tests that there is no time for with every change. */
export const DEEP = [
  'tests/deep/**/*.test.ts',
  'tests/**/races.test.ts',
  'tests/db/deadlocks.test.ts',
  'tests/db/locked-rows.test.ts',
  'tests/feeds/feeds-under-writes.test.ts',
  'tests/hubs/leaks.test.ts',
  'tests/images/broken.test.ts',
  'tests/notifications/inbox-plans.test.ts',
  'tests/people/search-plan.test.ts',
  'tests/posts/hub-removal.test.ts',
  'tests/secrecy/follower.test.ts',
];

/** What is generated from the OpenAPI document, by programs that `npm run test:clients` installs. */
export const GENERATED = ['tests/generated/**/*.test.ts'];

/** Tests in namespaces of their own, which `npm run test:cluster` prepares. */
export const CLUSTER = ['tests/scale/patroni/*.test.ts'];

/**
 * Configures a suite. It leaves out the files whose program (`<subject>.<program>.test.ts`) is not installed, and logs a line
 * for each.
 * @throws Error in CI, which has every program
 */
export function suite({ include, exclude = [], ...changes }: Options): ViteUserConfig {
  return defineConfig({
    test: {
      env: { NODE_ENV: 'test' },
      globalSetup: ['tests/support/cluster.ts'],
      reporters: ['default', './tests/support/reporter.ts'],
      // Tests start programs and listen for signals: processes, no threads. Three on the two cores of CI take a fifth less time
      // than two, because tests often wait.
      pool: 'forks',
      maxWorkers: 3,
      // A process takes one file after the other: to load the service anew for each is a third of all the time.
      isolate: false,
      // Nothing is timed: a busy machine may stand still for a minute.
      hookTimeout: 300_000,
      testTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      provide: { depth: 1 },
      ...changes,
      include: filesWithPrograms(globSync(include, { cwd: ROOT, exclude })),
    },
  });
}

function filesWithPrograms(files: string[]): string[] {
  const absent = PROGRAMS.filter((program) => findProgram(program) === null);
  const hasPgtap = hasTools();
  const skipped = new Map<string, string>();
  for (const file of files.toSorted()) {
    const programs = absent.filter((program) => file.includes(`.${program}.`));
    if (programs.length > 0) skipped.set(file, missing(programs));
    else if (file.includes('.pgtap.') && !hasPgtap)
      skipped.set(file, 'pgTAP not found: npm ci --prefix tools installs it');
  }
  const lines = [...skipped].map(([file, reason]) => `skipped ${file}: ${reason}\n`).join('');
  if (process.env.CI === 'true' && lines !== '') throw new Error(lines);
  process.stderr.write(lines);
  return files.filter((file) => !skipped.has(file));
}
