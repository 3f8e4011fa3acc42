import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { withClient } from '../local/connection.ts';
import { installTools, runTool, TOOLS } from '../tools.ts';
import { functionTypes } from './function-types.ts';
import { OUR_SCHEMAS, ROOT } from './paths.ts';

/** The generated types: tables, views and enums, the names of the functions in schema `api`, and the worker's functions. */
export const TYPES_FILE = path.join(ROOT, 'src/db/types.ts');

/**
 * Generates the text of `src/db/types.ts`: of tables by kysely-codegen, of functions from the catalog.
 * @param ownerUrl connection URL of the owner of a migrated database
 */
export async function generateTypes(ownerUrl: string): Promise<string> {
  installTools();
  const tables = await printedBy('node', [
    path.join(TOOLS, 'kysely-codegen.ts'),
    '--dialect=postgres',
    `--url=${ownerUrl}`,
    `--include-pattern={${OUR_SCHEMAS.join(',')}}.*`,
    '--log-level=error',
    '--print',
  ]);
  const functions = await withClient(ownerUrl, async (client) => [
    await apiFunctions(client),
    await functionTypes(client, 'opine_worker'),
  ]);
  const types = [tables, ...functions].join('\n');
  // biome.json excludes the generated file, so the text is formatted under another name.
  return printedBy('biome', ['format', '--stdin-file-path=types.ts'], types);
}

async function apiFunctions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'api'::regnamespace order by proname`,
  );
  const names = rows.map(({ name }) => `  | '${name}'`);
  return `/** A function \`api.<name>(p_args jsonb)\`, which one operation calls. */\nexport type ApiFunction =\n${names.join('\n')};\n`;
}

/** Returns whether a file of types is current for a migrated database, given the URL of its owner. */
export async function areTypesCurrent(ownerUrl: string, file = TYPES_FILE): Promise<boolean> {
  return readFileSync(file, 'utf8') === (await generateTypes(ownerUrl));
}

async function printedBy(name: string, args: string[], input = ''): Promise<string> {
  const { code, stdout, output } = await runTool(name, args, { input });
  if (code !== 0) throw new Error(`${name} ended with code ${code}: ${output}`);
  return stdout;
}
