import path from 'node:path';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { readSchemaFiles } from '../../scripts/db/schema-files.ts';

/** A clause of a function, a view or a policy (`posts_select on app.posts`), and what is put in its place. */
export type Mutation = readonly [object: string, clause: string, instead: string];

interface Declaration {
  /** The domain that declares it, such as `posts`. */
  readonly domain: string;
  /** The file of the domain that declares it, such as `delete`. */
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

/**
 * Returns the declaration of a function, a view or a policy.
 * @throws Error if the schemas do not declare it
 */
export function declarationOf(object: string): Declaration {
  const declaration = DECLARATIONS.get(object);
  if (declaration === undefined) throw new Error(`Nothing declares ${object}.`);
  return declaration;
}

/** Statements that change the database as `mutation` says, and that change it back. */
export function redefinitions([object, clause, instead]: Mutation): { mutate: string; restore: string } {
  const { statement } = declarationOf(object);
  if (statement.split(clause).length !== 2) throw new Error(`${object} does not say once: ${clause}`);
  return { mutate: redefinition(statement.replace(clause, () => instead)), restore: redefinition(statement) };
}

/** Returns the name of what a statement creates, where that may be mutated. */
function objectOf(statement: string): string | null {
  const [, policy, table] = /^create policy (\w+) on (\S+)/.exec(statement) ?? [];
  if (policy !== undefined) return `${policy} on ${table}`;
  return /^create (?:function|view) ([\w.]+)/.exec(statement)?.[1] ?? null;
}

/** What `text` says, statement by statement, without what stands before it in comments. */
function statementsOf(text: string): string[] {
  const body = /(?:\$\$[\s\S]*?\$\$|begin atomic[\s\S]*?\nend|'[^']*'|--[^\n]*|[^;])+;/g;
  return (text.match(body) ?? []).map((statement) => statement.replace(/^(?:\s|--[^\n]*)+/, ''));
}

/** `statement` for something that is there already. */
function redefinition(statement: string): string {
  const [, policy, table] = /^create policy (\w+) on (\S+)/.exec(statement) ?? [];
  if (policy !== undefined) return `drop policy ${policy} on ${table}; ${statement}`;
  const replaced = statement.replace(/^create (?=function|view|trigger)/, 'create or replace ');
  if (replaced === statement) throw new Error(`Nothing replaces ${statement}`);
  return replaced;
}
