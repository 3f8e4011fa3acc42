import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';
import type { Check } from './check.ts';
import { brokenImportRules } from './imports.ts';
import { missingPlatformPackages } from './lock-file.ts';
import { runTool } from './tools.ts';

const MIGRATIONS = 'supabase/migrations';
const OPENAPI = 'docs/openapi.json';
// By its path: npm links one `deno` of the two that are installed.
const DENO = 'node_modules/deno/bin.cjs';

/** The checks that only read files. */
export function staticChecks(): Check[] {
  return [
    tool('biome', 'biome', ['check', '--colors=off']),
    // Generated from docs/openapi.json and not committed: tsc reads them.
    tool('clients', 'node', ['scripts/clients.ts']),
    tool('tsc', 'tsc', ['--project', '.', '--pretty', 'false']),
    tool('deno check', 'node', [DENO, 'task', '--quiet', 'check']),
    tool('deno lint', 'node', [DENO, 'task', '--quiet', 'lint']),
    { name: 'imports', run: () => brokenImportRules() },
    { name: 'lock file', run: missingPlatformPackages },
    tool('squawk', 'squawk', ['--reporter', 'gcc', ...migrations()]),
    ...openapiChecks(),
  ];
}

function openapiChecks(): Check[] {
  if (!existsSync(path.join(ROOT, OPENAPI))) return [];
  return [
    tool('redocly', 'redocly', ['lint', OPENAPI]),
    tool(`${OPENAPI} is current`, 'node', ['scripts/openapi.ts', '--check']),
  ];
}

function migrations(): string[] {
  return readdirSync(path.join(ROOT, MIGRATIONS))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => `${MIGRATIONS}/${file}`);
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
