import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { OUR_SCHEMAS } from './paths.ts';

/** A file of `supabase/schemas`: its path below that folder, and its SQL. */
export type SchemaFile = {
  name: string;
  sql: string;
  /** Whether it creates roles, which belong to the cluster, instead of objects of the database. */
  isAboutRoles: boolean;
};

const NOT_CODE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/g;
// A SQL-standard body ends in the first `end` at the start of a line; an `end` of `case` is not there.
const ATOMIC_BODY = /\bbegin\s+atomic\b[\s\S]*?^end\s*;/gim;

const ABOUT_ROLES = [
  /^do\b/i,
  /^(create|alter) (role|user|group)\b/i,
  /^comment on role\b/i,
  /^(grant|revoke)\b(?!.*\bon\b)/i,
];
const ABOUT_OBJECTS = /^(create|alter(?! (database|system)\b)|comment|grant|revoke)\b/i;

/**
 * Reads the schema files of a folder in the order of their paths.
 *
 * pg-delta compares catalogs: it sees neither a `do` block nor rows, and a role needs a guard because it already exists
 * for the second database of a cluster. So a file is either about roles, and migrations contain its text, or about
 * objects, and migrations contain pg-delta's plan.
 * @throws Error naming a file with a statement of neither kind, or with statements of both
 */
export function readSchemaFiles(directory: string): SchemaFile[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.split(path.sep).join('/'));
  return names.sort().map((name) => readSchemaFile(directory, name));
}

function readSchemaFile(directory: string, name: string): SchemaFile {
  const sql = readFileSync(path.join(directory, name), 'utf8');
  const statements = statementOutlines(sql);
  const aboutRoles = statements.filter((statement) => ABOUT_ROLES.some((rule) => rule.test(statement)));
  const unknown = statements.find(
    (statement) => !aboutRoles.includes(statement) && !ABOUT_OBJECTS.test(statement),
  );
  if (unknown !== undefined) {
    throw new Error(
      `schemas/${name}: "${unknown.slice(0, 60)}" is not a declaration, and no migration would have it`,
    );
  }
  if (aboutRoles.length > 0 && aboutRoles.length < statements.length) {
    throw new Error(`schemas/${name}: roles and "do" blocks need a file of their own`);
  }
  return { name, sql, isAboutRoles: aboutRoles.length > 0 };
}

/** Returns the statements of a file on one line each, without comments, bodies and literals. */
function statementOutlines(sql: string): string[] {
  return sql
    .replace(NOT_CODE, ' ')
    .replace(ATOMIC_BODY, ';')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/**
 * Runs schema files in a database, each in a transaction of its own, in the order of their names.
 * @param owner a connection as the role `postgres`
 * @throws Error naming the file or function that fails, or the file about roles that cannot run twice
 */
export async function loadSchemas(owner: pg.Client, files: readonly SchemaFile[]): Promise<void> {
  for (const { name, sql } of files) await run(owner, sql, `schemas/${name}`);
  await checkBodies(owner);
  // A second database of the cluster runs the files about roles again, and so do later migrations.
  for (const { name, sql, isAboutRoles } of files) {
    if (isAboutRoles) await run(owner, sql, `schemas/${name} cannot be run twice`);
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
  for (const { name, definition } of rows) await run(owner, definition, name);
}

async function run(owner: pg.Client, sql: string, name: string): Promise<void> {
  try {
    await owner.query(`begin;\n${sql}\n;commit`);
  } catch (error) {
    await owner.query('rollback');
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
