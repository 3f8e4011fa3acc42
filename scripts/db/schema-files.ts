import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of `supabase/schemas`: its path below that folder, and its SQL. */
export type SchemaFile = {
  name: string;
  sql: string;
  /** Whether it makes roles, which belong to the cluster, instead of objects of the database. */
  isAboutRoles: boolean;
};

const NOT_CODE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1/g;
// A SQL-standard body ends in the first `end` that begins a line: those of `case` do not.
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
 * pg-delta compares catalogs: it sees neither a `do` block nor rows, and a role must be made under a guard because a
 * second database of the cluster finds it made. So a file is either about roles, and then its text goes into
 * migrations as it is, or about objects, and then migrations get what pg-delta plans.
 * @param directory the folder
 * @throws Error naming the file that has a statement of neither sort, or statements of both
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
  const stranger = statements.find(
    (statement) => !aboutRoles.includes(statement) && !ABOUT_OBJECTS.test(statement),
  );
  if (stranger !== undefined) {
    throw new Error(
      `schemas/${name}: "${stranger.slice(0, 60)}" is not a declaration, and no migration would have it`,
    );
  }
  if (aboutRoles.length > 0 && aboutRoles.length < statements.length) {
    throw new Error(`schemas/${name}: roles and "do" blocks need a file of their own`);
  }
  return { name, sql, isAboutRoles: aboutRoles.length > 0 };
}

/** The statements of a file on one line each, without comments, bodies and literals. */
function statementOutlines(sql: string): string[] {
  return sql
    .replace(NOT_CODE, ' ')
    .replace(ATOMIC_BODY, ';')
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}
