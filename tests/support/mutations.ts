import path from 'node:path';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { readSchemaFiles } from '../../scripts/db/schema-files.ts';

/** A clause of a function, view or policy (`posts_select on app.posts`) and its replacement. */
export type Mutation = readonly [object: string, clause: string, instead: string];

interface Declaration {
  /** The schema directory, such as `posts`. */
  readonly domain: string;
  /** The schema file, such as `delete`. */
  readonly feature: string;
  readonly statement: string;
}

const DECLARATIONS: ReadonlyMap<string, Declaration> = new Map(
  readSchemaFiles(path.join(SUPABASE_DIRECTORY, 'schemas')).flatMap(({ name, sql }) =>
    statementsOf(sql).flatMap((statement) => {
      const object = objectOf(statement);
      const [domain = '', feature = ''] = name
        .split('/')
        .map((part) => path.parse(part).name.replace(/^\d+_/, ''));
      return object === null ? [] : [[object, { domain, feature, statement }] as const];
    }),
  ),
);

/** Returns the declaration of a function, view or policy. */
export function declarationOf(object: string): Declaration {
  const declaration = DECLARATIONS.get(object);
  if (declaration === undefined) throw new Error(`Nothing declares ${object}.`);
  return declaration;
}

/** Returns SQL that applies and reverts a mutation. */
export function redefinitions([object, clause, instead]: Mutation): { mutate: string; restore: string } {
  const { statement } = declarationOf(object);
  if (statement.split(clause).length !== 2) throw new Error(`${object} must contain exactly one: ${clause}`);
  return { mutate: redefinition(statement.replace(clause, () => instead)), restore: redefinition(statement) };
}

/** Returns the name of a function, view or policy that a statement creates. */
function objectOf(statement: string): string | null {
  const [, policy, table] = /^create policy (\w+) on (\S+)/.exec(statement) ?? [];
  if (policy !== undefined) return `${policy} on ${table}`;
  return /^create (?:function|view) ([\w.]+)/.exec(statement)?.[1] ?? null;
}

/** Splits `text` into statements without leading comments. */
function statementsOf(text: string): string[] {
  const body = /(?:\$\$[\s\S]*?\$\$|begin atomic[\s\S]*?\nend|'[^']*'|--[^\n]*|[^;])+;/g;
  return (text.match(body) ?? []).map((statement) => statement.replace(/^(?:\s|--[^\n]*)+/, ''));
}

/** Rewrites `statement` so that it replaces the existing object. */
function redefinition(statement: string): string {
  const [, policy, table] = /^create policy (\w+) on (\S+)/.exec(statement) ?? [];
  if (policy !== undefined) return `drop policy ${policy} on ${table}; ${statement}`;
  const replaced = statement.replace(/^create (?=function|view|trigger)/, 'create or replace ');
  if (replaced === statement) throw new Error(`This statement cannot be replaced: ${statement}`);
  return replaced;
}
