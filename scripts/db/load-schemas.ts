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
  const waiting = new Set(files);
  const refusals: Refusals = new Map();
  while (waiting.size > 0) {
    const candidates = [...waiting].filter((file) => !refusals.has(file));
    const next =
      (await loadFirst(owner, candidates, refusals)) ?? (await loadFirst(owner, [...waiting], refusals));
    if (next === null) {
      const lines = [...refusals].map(([{ name }, refusal]) => `schemas/${name}: ${refusal}`);
      throw new Error(`${lines.length} schema files cannot be loaded:\n${lines.join('\n')}`);
    }
    waiting.delete(next);
    loaded.push(next);
    forgetRefusals(refusals, next);
  }
  await owner.query('reset check_function_bodies');
  await checkBodies(owner);
  await checkRepeatable(owner, files);
  return loaded;
}

/** Why files could not go in when they were last tried. */
type Refusals = Map<SchemaFile, string>;

async function loadFirst(
  owner: pg.Client,
  candidates: SchemaFile[],
  refusals: Refusals,
): Promise<SchemaFile | null> {
  for (const file of candidates) {
    const refusal = await attempt(owner, file.sql);
    if (refusal === null) {
      refusals.delete(file);
      return file;
    }
    refusals.set(file, refusal);
  }
  return null;
}

/** A file that misses something is worth another try once a file that speaks of it is in. */
function forgetRefusals(refusals: Refusals, { sql }: SchemaFile): void {
  for (const [file, refusal] of refusals) {
    const missing = /(\w+)(?:\[\])?"?(?:\(.*\))? does not exist/.exec(refusal)?.[1];
    if (missing === undefined || sql.includes(missing)) refusals.delete(file);
  }
}

async function attempt(owner: pg.Client, sql: string): Promise<string | null> {
  try {
    await owner.query(`begin;\n${sql}\n;commit`);
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
