import { withClient } from '../../scripts/local/connection.ts';
import type { TestDatabase } from './database.ts';

/** A node of a plan that has run, as EXPLAIN writes it in JSON. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'Actual Loops': number;
  /** In each loop. */
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Runs an operation as the gateway does.
 * @param claims none: a guest
 * @returns its answer, and the nodes of all its statements that have run
 */
export type WatchedOperation = (
  operation: string,
  claims: object | null,
  args: object,
) => Promise<{ readonly answer: string; readonly nodes: readonly PlanNode[] }>;

/** Gives a function a connection of the gateway's on which it sees how operations are carried out. */
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
