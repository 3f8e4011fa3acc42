import type pg from 'pg';
import { OUR_SCHEMAS } from './paths.ts';
import type { SchemaFile } from './schema-files.ts';

/**
 * Declares schema files in a database, each in a transaction of its own, in the order of their names.
 * @param owner a connection as the role `postgres`
 * @throws Error naming the file that cannot go in, the function whose body does not hold, or the file about roles that
 *   cannot be run twice
 */
export async function loadSchemas(owner: pg.Client, files: readonly SchemaFile[]): Promise<void> {
  for (const { name, sql } of files) {
    const refusal = await attempt(owner, sql);
    if (refusal !== null) throw new Error(`schemas/${name}: ${refusal}`);
  }
  await checkBodies(owner);
  await checkRepeatable(owner, files);
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
async function checkRepeatable(owner: pg.Client, files: readonly SchemaFile[]): Promise<void> {
  for (const { name, sql } of files.filter(({ isAboutRoles }) => isAboutRoles)) {
    const refusal = await attempt(owner, sql);
    if (refusal !== null) throw new Error(`schemas/${name} cannot be run twice: ${refusal}`);
  }
}
