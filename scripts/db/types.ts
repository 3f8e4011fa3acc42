import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '../local/connection.ts';
import { OUR_SCHEMAS, ROOT } from './paths.ts';

/** The generated types: tables, views and enums, and the names of the functions in schema `api`. */
export const TYPES_FILE = path.join(ROOT, 'src/db/types.ts');

/**
 * Generates the types of a database: by kysely-codegen, and the functions of schema `api` from the catalog.
 * @param ownerUrl connection URL of the owner of a migrated database
 * @returns the text of `src/db/types.ts`
 */
export async function generateTypes(ownerUrl: string): Promise<string> {
  const codegen = await runTool('kysely-codegen', 'dist/cli/bin.js', [
    '--dialect=postgres',
    `--url=${ownerUrl}`,
    `--include-pattern={${OUR_SCHEMAS.join(',')}}.*`,
    '--log-level=error',
    '--print',
  ]);
  const types = `${codegen}\n${await apiFunctions(ownerUrl)}`;
  // biome.json excludes the generated file, so this one has another name.
  return runTool('@biomejs/biome', 'bin/biome', ['format', '--stdin-file-path=types.ts'], types);
}

function apiFunctions(ownerUrl: string): Promise<string> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select proname as name from pg_proc where pronamespace = 'api'::regnamespace order by proname`,
    );
    const names = rows.map(({ name }) => `  | '${name}'`);
    return `/** A function \`api.<name>(p_args jsonb)\`, which one operation calls. */\nexport type ApiFunction =\n${names.join('\n')};\n`;
  });
}

/**
 * Compares a file of types with a migrated database.
 * @param ownerUrl connection URL of its owner
 * @returns whether the file is what would be generated
 */
export async function areTypesCurrent(ownerUrl: string, file = TYPES_FILE): Promise<boolean> {
  return readFileSync(file, 'utf8') === (await generateTypes(ownerUrl));
}

async function runTool(name: string, program: string, args: string[], input = ''): Promise<string> {
  const directory = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const running = promisify(execFile)(process.execPath, [path.join(directory, program), ...args], {
    cwd: ROOT,
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}
