import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';
import { changedReleases } from '../db/releases.ts';
import { runProgram } from '../run-program.ts';
import { runTool, TOOLS, TSC } from '../tools.ts';
import type { Check } from './check.ts';
import { brokenImportRules } from './imports.ts';
import { longSql } from './lines.ts';
import { misplaced } from './rooms.ts';
import { brokenCitations } from './rules.ts';

// npm links only one `deno` of the two installed versions.
const DENO = path.join(TOOLS, 'node_modules/deno/bin.cjs');

/** Returns the checks that only read files. */
export function staticChecks(): Check[] {
  return [
    tool('biome', 'biome', ['check', '--colors=off']),
    tool('tsc', 'node', [TSC, '--project', '.', '--pretty', 'false']),
    tool('deno check', 'node', [DENO, 'task', '--quiet', 'check']),
    tool('deno lint', 'node', [DENO, 'task', '--quiet', 'lint']),
    { name: 'imports', run: () => brokenImportRules() },
    { name: 'rooms', run: () => misplaced() },
    { name: 'lines of SQL', run: () => longSql() },
    { name: 'rules', run: () => brokenCitations() },
    { name: 'releases', run: () => changedReleases() },
    { name: 'commits', run: longSubjects },
    { name: 'lock files', run: missingPlatformPackages },
    tool('squawk', 'squawk', [
      '--reporter',
      'gcc',
      ...globSync('supabase/migrations/*.sql', { cwd: ROOT }).sort(),
    ]),
    tool('redocly', 'redocly', ['lint', ...globSync('docs/openapi*.json', { cwd: ROOT })]),
    tool('OpenAPI documents are current', 'node', ['scripts/openapi.ts', '--check']),
    tool('types of the client are current', 'node', ['scripts/clients.ts', '--check']),
    tool('docs of the client are current', 'node', ['scripts/client-docs.ts', '--check']),
  ];
}

/** The longest subject of a commit, and from when on: earlier commits were not held to it. */
const MAX_SUBJECT = 72;
const SUBJECTS_SINCE = '2026-11-28T20:00:00Z';

/** Returns a line for each commit whose subject is too long, merges aside; none without git or its history. */
async function longSubjects(): Promise<string> {
  const args = ['log', '--no-merges', `--since=${SUBJECTS_SINCE}`, '--format=%h %s'];
  const log = await runProgram('git', args, { cwd: ROOT }).catch(() => null);
  return (log?.stdout ?? '')
    .split('\n')
    .filter((line) => line.length > line.indexOf(' ') + 1 + MAX_SUBJECT)
    .map((line) => `${line}: a subject has at most ${MAX_SUBJECT} characters`)
    .join('\n');
}

function tool(name: string, program: string, args: string[]): Check {
  return {
    name,
    run: async () => {
      const { code, output } = await runTool(program, args);
      return code === 0 ? '' : output || `${program} ended with code ${code}`;
    },
  };
}

type LockedPackage = { version?: string; optionalDependencies?: Record<string, string> };

/**
 * Returns a line for each package of another platform that a lock file lacks. npm leaves out a package if its look-up
 * fails while it writes the lock file, and then `npm ci` refuses the lock file everywhere.
 */
async function missingPlatformPackages(): Promise<string> {
  return ['package-lock.json', 'tools/package-lock.json'].flatMap(missingIn).join('\n');
}

function missingIn(file: string): string[] {
  const lock = JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));
  const packages: Record<string, LockedPackage> = lock.packages;
  return Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, range]) => {
        const found = packages[`${place}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
        return !found || (/^\d/.test(range) && found.version !== range);
      })
      .map(([name, range]) => `${place} may need ${name} ${range}, which ${file} does not have`),
  );
}
