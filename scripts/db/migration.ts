import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Plan, renderPlanFiles } from '@supabase/pg-delta';
import { formatSqlStatements } from '@supabase/pg-delta/sql-format';
import { withClient } from '../local/connection.ts';
import { driftFrom, planChanges, roleDifferences, roleState } from './compare.ts';
import { unreleasedMigrations } from './releases.ts';
import type { SchemaFile } from './schema-files.ts';
import { type DeclaredDatabase, declaredDatabase, migratedDatabase, withCluster } from './throwaway.ts';

/** The written file names, the replaced ones, and the statements that lose data or objects. */
export type WrittenMigration = { files: string[]; replaced: string[]; losses: string[] };

/** A new migration: its SQL, one text per transaction, and the statements in it that lose data or objects. */
type Migration = { texts: string[]; losses: string[] };

// A migration that waits for a lock blocks every later request on that table.
const TIMEOUTS = "set local lock_timeout = '5s';\nset local statement_timeout = '60s';\n";

/**
 * Writes the migration from `migrations` to `schemas`, after the Supabase CLI has applied it to an empty database. It replaces one of
 * the same name that no version has.
 * @param supabaseDirectory a folder named `supabase`
 * @param name subject of the migration, in lower case with underscores
 * @throws Error if it does not lead to the schemas; nothing is written then
 */
export function writeMigration(supabaseDirectory: string, name: string): Promise<WrittenMigration> {
  return withCluster(async (cluster) => {
    const declared = await declaredDatabase(cluster, 'declared', supabaseDirectory);
    const draft = new RegExp(`^\\d{14}_${name}(_\\d+)?\\.sql$`);
    const replaced = Object.keys(unreleasedMigrations(supabaseDirectory)).filter((file) => draft.test(file));
    const copy = copyMigrations(supabaseDirectory);
    try {
      const directory = path.join(copy, 'migrations');
      replaceFiles(directory, new Map(), replaced);
      const kept = readdirSync(directory).sort();
      const migration = kept.length === 0 ? firstMigration(declared) : await nextMigration(copy, declared);
      const files = new Map(fileNames(migration, name, versionAfter(kept)));
      replaceFiles(directory, files, []);
      if (files.size > 0) await verify(copy, declared.ownerUrl);
      replaceFiles(path.join(supabaseDirectory, 'migrations'), files, replaced);
      return { files: [...files.keys()], replaced, losses: migration.losses };
    } finally {
      rmSync(path.dirname(copy), { recursive: true, force: true });
    }
  });
}

/** Copies what the Supabase CLI needs into a temporary folder. @returns the copy, named `supabase` */
function copyMigrations(supabaseDirectory: string): string {
  const copy = path.join(mkdtempSync(path.join(os.tmpdir(), 'opine-migration-')), 'supabase');
  for (const entry of ['config.toml', 'migrations']) {
    cpSync(path.join(supabaseDirectory, entry), path.join(copy, entry), { recursive: true });
  }
  return copy;
}

/** Concatenates the schema files: pg-delta would plan the same state, but reorders columns and drops comments. */
function firstMigration({ files }: DeclaredDatabase): Migration {
  return { texts: [asText(files.map(asSection))], losses: [] };
}

/**
 * Plans the migration from the migrations of a folder to its schemas.
 * @throws Error if the files about roles do not lead there, or pg-delta cannot plan it
 */
function nextMigration(supabaseDirectory: string, { ownerUrl, files }: DeclaredDatabase): Promise<Migration> {
  return withCluster(async (cluster) => {
    const migratedUrl = await migratedDatabase(cluster, 'migrated', supabaseDirectory);
    const aboutRoles = files.filter(({ isAboutRoles }) => isAboutRoles);
    const roles = await applyRoles(migratedUrl, ownerUrl, aboutRoles);
    return asMigration(roles.map(asSection), await planChanges(migratedUrl, ownerUrl));
  });
}

/** Runs the files about roles, so that the plan starts behind them. @returns the files, or none if they changed nothing */
async function applyRoles(
  migratedUrl: string,
  declaredUrl: string,
  files: SchemaFile[],
): Promise<SchemaFile[]> {
  const before = await roleState(migratedUrl);
  await withClient(migratedUrl, async (owner) => {
    for (const file of files) await owner.query(file.sql);
  });
  const left = await roleDifferences(migratedUrl, declaredUrl);
  if (left.length > 0) {
    const names = files.map(({ name }) => name).join(', ');
    throw new Error(`${names} does not bring these roles of the migrations up to date:\n${left.join('\n')}`);
  }
  const after = await roleState(migratedUrl);
  return before.join() === after.join() ? [] : files;
}

/** @param roles sections that come before the plan, in its first transaction */
function asMigration(roles: string[], plan: Plan): Migration {
  const { files } = renderPlanFiles(plan, { allowDrops: true });
  if (files.some(({ transactional }) => !transactional)) {
    throw new Error(
      'The plan has a statement that cannot run in a transaction: write this migration by hand.',
    );
  }
  const [first = [], ...rest] = files.map(({ contents }) => [formatted(contents)]);
  const transactions = [[...roles, ...first], ...rest].filter((sections) => sections.length > 0);
  const losses = plan.actions.filter(({ verb, dataLoss }) => verb === 'drop' || dataLoss === 'destructive');
  return { texts: transactions.map(asText), losses: losses.map(({ sql }) => sql) };
}

function formatted(sql: string): string {
  const statements = formatSqlStatements([sql], { keywordCase: 'lower', maxWidth: 110, alignColumns: false });
  return statements.map((statement) => `${statement};\n`).join('\n');
}

function asText(sections: string[]): string {
  return [TIMEOUTS, ...sections].join('\n');
}

function asSection({ name, sql }: SchemaFile): string {
  return `-- schemas/${name}\n\n${sql}`;
}

/** Returns the time that names the migration: now, but after the newest one, as migrations apply in order of names. */
function versionAfter(present: string[]): Date {
  const newest = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)_/.exec(present.at(-1) ?? '');
  if (newest === null) return new Date();
  const [year, month, day, ...time] = newest.slice(1);
  return new Date(Math.max(Date.now(), Date.parse(`${year}-${month}-${day}T${time.join(':')}Z`) + 1000));
}

function fileNames({ texts }: Migration, name: string, first: Date): [string, string][] {
  return texts.map((text, index) => {
    const at = new Date(first.getTime() + index * 1000).toISOString();
    const suffix = texts.length === 1 ? '' : `_${index + 1}`;
    return [`${at.slice(0, 19).replace(/\D/g, '')}_${name}${suffix}.sql`, text];
  });
}

async function verify(supabaseDirectory: string, declaredUrl: string): Promise<void> {
  const drift = await driftFrom(supabaseDirectory, declaredUrl);
  if (drift.length > 0) throw new Error(`The migration does not lead to the schemas:\n${drift.join('\n')}`);
}

function replaceFiles(directory: string, files: Map<string, string>, replaced: string[]): void {
  for (const file of replaced) rmSync(path.join(directory, file));
  for (const [file, text] of files) writeFileSync(path.join(directory, file), text);
}
