import { type Plan, renderPlanFiles } from '@supabase/pg-delta';
import { formatSqlStatements } from '@supabase/pg-delta/sql-format';
import { withClient } from '../local/connection.ts';
import { planChanges } from './compare.ts';
import { roleDifferences, roleState } from './roles.ts';
import type { SchemaFile } from './schema-files.ts';
import { type DeclaredDatabase, migratedDatabase, withCluster } from './throwaway.ts';

/** What a new migration does: its SQL, one text a transaction, and the statements in it that lose data or objects. */
export type Migration = { texts: string[]; losses: string[] };

// A migration that waits for a lock makes every later request on that table wait behind it.
const TIMEOUTS = "set local lock_timeout = '5s';\nset local statement_timeout = '60s';\n";

/**
 * Makes the one migration that leads from nothing to the schemas: their files, in their order.
 * pg-delta would plan the same state, but takes columns out of their order and comments out of the SQL.
 */
export function squashedMigration({ files }: DeclaredDatabase): Migration {
  return { texts: [asText(files.map(asSection))], losses: [] };
}

/**
 * Plans the migration that leads from the migrations of a folder to its schemas.
 * @param supabaseDirectory a folder called `supabase`
 * @param declared the database made from its schemas
 * @throws Error where the files about roles do not lead there, or pg-delta cannot plan it
 */
export function nextMigration(
  supabaseDirectory: string,
  { ownerUrl, files }: DeclaredDatabase,
): Promise<Migration> {
  return withCluster(async (cluster) => {
    const migratedUrl = await migratedDatabase(cluster, 'migrated', supabaseDirectory);
    const head = await applyRoles(
      migratedUrl,
      ownerUrl,
      files.filter(({ isAboutRoles }) => isAboutRoles),
    );
    const plan = await planChanges(migratedUrl, ownerUrl);
    return withHead(head.map(asSection), plan);
  });
}

/** Runs the files about roles and returns them where they changed anything: planning goes on from there. */
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

function withHead(head: string[], plan: Plan): Migration {
  const { files } = renderPlanFiles(plan, { allowDrops: true });
  if (files.some(({ transactional }) => !transactional)) {
    throw new Error(
      'The plan has a statement that cannot run in a transaction: write this migration by hand.',
    );
  }
  const transactions = files.map(({ contents }) => [formatted(contents)]);
  const [first = [], ...rest] = transactions;
  const sections = [[...head, ...first], ...rest].filter((transaction) => transaction.length > 0);
  const losses = plan.actions.filter(({ verb, dataLoss }) => verb === 'drop' || dataLoss === 'destructive');
  return { texts: sections.map(asText), losses: losses.map(({ sql }) => sql) };
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
