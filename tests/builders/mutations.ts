import { readFileSync } from 'node:fs';

/** A clause of a file of `supabase/schemas`, and what is put in its place. */
export type Mutation = readonly [file: string, clause: string, instead: string];

/** Statements that change the database as `mutation` says, and that change it back. */
export function redefinitions([file, clause, instead]: Mutation): { mutate: string; restore: string } {
  const text = readFileSync(new URL(`../../supabase/schemas/${file}`, import.meta.url), 'utf8');
  const [first, ...others] = statementsOf(text).filter((statement) => statement.includes(clause));
  if (first === undefined || others.length > 0 || first.split(clause).length !== 2) {
    throw new Error(`${file} does not say once: ${clause}`);
  }
  return { mutate: redefinition(first.replace(clause, () => instead)), restore: redefinition(first) };
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
