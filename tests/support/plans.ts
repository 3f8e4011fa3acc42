import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { ROOT } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import type { TestDatabase } from './database.ts';

/** An executed plan node of EXPLAIN's JSON. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'Actual Loops': number;
  /** Per loop. */
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Runs an operation as the gateway does; null claims are a guest's.
 * @returns the answer and the plan nodes of all its statements
 */
type WatchedOperation = (
  operation: string,
  claims: object | null,
  args: object,
) => Promise<{ readonly answer: string; readonly nodes: readonly PlanNode[] }>;

/** Runs `use` with a gateway connection that records plans. */
export function watchPlans<T>(
  { superuserUrl }: TestDatabase,
  use: (invoke: WatchedOperation) => Promise<T>,
): Promise<T> {
  return withClient(superuserUrl, async (client) => {
    let nodes: PlanNode[] = [];
    client.on('notice', ({ message = '' }) => {
      const [, json] = message.split(/^duration: .* plan:\n/);
      if (json !== undefined) nodes.push(...nodesThatRan(JSON.parse(json).Plan));
    });
    await client.query(`
      load 'auto_explain';
      set auto_explain.log_min_duration = 0;
      set auto_explain.log_nested_statements = on;
      set auto_explain.log_analyze = on;
      set auto_explain.log_timing = off;
      set auto_explain.log_buffers = on;
      set auto_explain.log_format = json;
      set client_min_messages = log;
      set session authorization opine_gateway;
    `);
    return use(async (operation, claims, args) => {
      nodes = [];
      const { rows } = await client.query<{ answer: string }>(
        `select answer from gateway.call('caller', $1, $3, $2)`,
        [operation, claims, args],
      );
      return { answer: rows[0]?.answer ?? '', nodes };
    });
  });
}

function nodesThatRan(node: PlanNode): PlanNode[] {
  return node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(nodesThatRan)];
}

/**
 * Disables autovacuum on our tables. Its statistics and visibility maps would change plans by chance, and Postgres plans a table
 * that was vacuumed while empty with no pages, but one that never was with ten: a session that then fills the table in one
 * transaction keeps the sequential scans of its cached plans, those of foreign keys included. 9,999 follows took 25 s instead of 1.
 * ANALYZE after tests that were rolled back finds pages without a row: the removal of a closed Hub then took minutes instead of 2 s.
 */
export const WITHOUT_AUTOVACUUM = `
  do $$
  declare
    v_table regclass;
  begin
    for v_table in
      select oid from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('app', 'gateway', 'staff')
    loop
      execute format('alter table %s set (autovacuum_enabled = false)', v_table);
    end loop;
  end
  $$`;

/** Runs `WITHOUT_AUTOVACUUM`. */
export async function keepAutovacuumAway({ superuser }: Pick<TestDatabase, 'superuser'>): Promise<void> {
  await sql.raw(WITHOUT_AUTOVACUUM).execute(superuser);
}

/** The tables that ops/partitioning partitions. */
export const PARTITIONED_TABLES = ['vote_receipts', 'notifications'] as const;

/** Partitions the large tables as the owner, with the ops/partitioning scripts. */
export async function partitionTables(database: TestDatabase): Promise<void> {
  for (const table of PARTITIONED_TABLES) {
    const script = readFileSync(path.join(ROOT, `ops/partitioning/${table}.sql`), 'utf8');
    await withClient(database.urlAs('postgres'), (owner) => owner.query(script));
  }
}
