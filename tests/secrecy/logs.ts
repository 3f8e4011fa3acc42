import { readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { inject } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { oneVote, type Theory } from './evidence.ts';
import { positionsIn } from './records.ts';

/** A log entry of Postgres: an error with its detail and context, or a statement with its parameters. */
export interface Entry {
  readonly pid: number;
  /** The name of the database; empty for the server. */
  readonly database: string;
  readonly text: string;
}

/** Follows the log of Postgres: `since` returns the entries from now on. */
export function followPostgresLog(): { since(): Entry[] } {
  const file = logOfCluster();
  const start = statSync(file).size;
  return { since: () => entriesIn(readFileSync(file).subarray(start).toString('utf8')) };
}

/** Returns the log file of this run's cluster, found by its port. */
function logOfCluster(): string {
  const { port } = inject('postgres');
  for (const entry of readdirSync(os.tmpdir()).filter((name) => name.startsWith('opine-throwaway-'))) {
    const directory = path.join(os.tmpdir(), entry);
    if (portIn(path.join(directory, 'data/postmaster.pid')) === port)
      return path.join(directory, 'postgres.log');
  }
  throw new Error('The log of Postgres was not found.');
}

function portIn(pidFile: string): number {
  try {
    return Number(readFileSync(pidFile, 'utf8').split('\n')[3]);
  } catch {
    // The cluster of another run stopped meanwhile.
    return Number.NaN;
  }
}

/** Groups the lines of each process into entries. */
function entriesIn(log: string): Entry[] {
  const lines = [
    ...log.matchAll(
      /^\d{4}-\d\d-\d\d [\d:.]+ UTC \[(\d+)\] (\S*) (\w+): {2}([\s\S]*?)(?=^\d{4}-|$(?![\s\S]))/gm,
    ),
  ];
  const open = new Map<number, string[]>();
  const entries: { pid: number; database: string; texts: string[] }[] = [];
  for (const [, process = '', database = '', level = '', text = ''] of lines) {
    const pid = Number(process);
    const isContinuation = ['DETAIL', 'HINT', 'CONTEXT', 'STATEMENT', 'QUERY'].includes(level);
    const texts = (isContinuation && open.get(pid)) || [];
    if (texts.length === 0) entries.push({ pid, database, texts });
    texts.push(text);
    open.set(pid, texts);
  }
  return entries.map(({ pid, database, texts }) => ({ pid, database, text: texts.join('') }));
}

/** Attacks by log entries that name a voter beside one position. */
export function byLog(
  entries: readonly Pick<Entry, 'text'>[],
  post: string,
  voters: readonly string[],
): Theory[] {
  return voters.flatMap((user) =>
    entries
      .filter(({ text }) => text.includes(user))
      .flatMap(({ text }) => {
        const [position, ...others] = positionsIn(text);
        return position === undefined || others.length > 0 ? [] : [[oneVote('a log', post, user, position)]];
      }),
  );
}

/** Sets the logging of new sessions to the defaults of Postgres with `changes`. */
export async function configureLogging(
  { name, superuser }: TestDatabase,
  changes: Record<string, string> = {},
): Promise<void> {
  const settings = {
    log_error_verbosity: 'default',
    log_parameter_max_length: '-1',
    log_parameter_max_length_on_error: '0',
    log_statement: 'none',
    ...changes,
  };
  for (const [setting, value] of Object.entries(settings)) {
    await sql`alter database ${sql.id(name)} set ${sql.id(setting)} = ${sql.lit(value)}`.execute(superuser);
  }
}

/** Returns the pids of the backends of the API. */
export async function backendPidsOf({ superuser }: TestDatabase): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and application_name like 'opine-%'
  `.execute(superuser);
  return rows.map(({ pid }) => pid);
}
