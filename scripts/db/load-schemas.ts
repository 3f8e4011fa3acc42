import type pg from 'pg';
import { OUR_SCHEMAS } from './paths.ts';
import type { SchemaFile } from './schema-files.ts';

/**
 * Declares schema files in a database. Each file goes in as early as the ones before it allow, so that within a folder
 * a name may sort before what it needs.
 * @param owner a connection as the role `postgres`
 * @param files the files, in the order to prefer
 * @returns the files in the order in which they went in
 * @throws Error naming each file that cannot go in, the function whose body does not hold, or the file about roles that
 *   cannot be run twice
 */
export async function loadSchemas(owner: pg.Client, files: SchemaFile[]): Promise<SchemaFile[]> {
  // A function's body may name a table whose policy calls the function.
  await owner.query('set check_function_bodies = off');
  const loaded: SchemaFile[] = [];
  const waiting = [...files];
  while (waiting.length > 0) {
    const next = await loadFirst(owner, waiting);
    waiting.splice(waiting.indexOf(next), 1);
    loaded.push(next);
  }
  await owner.query('reset check_function_bodies');
  await checkBodies(owner);
  await checkRepeatable(owner, files);
  return loaded;
}

async function loadFirst(owner: pg.Client, waiting: SchemaFile[]): Promise<SchemaFile> {
  const refusals: string[] = [];
  for (const file of waiting) {
    const refusal = await attempt(owner, file.sql);
    if (refusal === null) return file;
    refusals.push(`schemas/${file.name}: ${refusal}`);
  }
  throw new Error(`${refusals.length} schema files cannot be loaded:\n${refusals.join('\n')}`);
}

async function attempt(owner: pg.Client, sql: string): Promise<string | null> {
  try {
    await owner.query(`begin;\n${sql}`);
    await owner.query('commit');
    return null;
  } catch (error) {
    await owner.query('rollback');
    return error instanceof Error ? error.message : String(error);
  }
}

async function checkBodies(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition
     from pg_proc as p
     join pg_namespace as n on n.oid = p.pronamespace
     where n.nspname = any ($1) and p.prokind in ('f', 'p')
     order by 1`,
    [OUR_SCHEMAS],
  );
  for (const { name, definition } of rows) {
    const refusal = await attempt(owner, definition);
    if (refusal !== null) throw new Error(`${name}: ${refusal}`);
  }
}

/** A second database of the cluster runs the files about roles again, as do later migrations. */
async function checkRepeatable(owner: pg.Client, files: SchemaFile[]): Promise<void> {
  for (const { name, sql } of files.filter(({ isAboutRoles }) => isAboutRoles)) {
    const refusal = await attempt(owner, sql);
    if (refusal !== null) throw new Error(`schemas/${name} cannot be run twice: ${refusal}`);
  }
}
