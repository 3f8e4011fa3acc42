import { rmSync, writeFileSync } from 'node:fs';
import { withFoldedSnapshot } from './folded-snapshot.ts';
import { runTool } from './postgres-tools.ts';

/** Where our rows are. Functions and policies come from the migrations, and `api` has nothing else. */
export const SCHEMAS_WITH_ROWS = ['app', 'gateway', 'staff'];

const LEFT_OUT = [
  // On its way to phones and streams: a copy would tell it once more. The inbox has it all.
  'app.outbox',
  'app.pushes',
  // What walks through feeds had to know, by transactions of this server: to another one these would be still to come.
  'app.score_changes',
  'app.former_sources',
];

/**
 * Writes the rows of a database into a file, as `pg_dump` does, with its migrations beside them.
 * @param ownerUrl connection URL of the role that owns the database; not through a pooler in transaction mode
 * @param file where to, in the custom format; for its owner alone
 * @throws Error where the file is there already, or a program fails
 */
export async function dumpDatabase(ownerUrl: string, file: string): Promise<void> {
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  try {
    await withFoldedSnapshot(ownerUrl, (snapshot) => dump(ownerUrl, snapshot, file));
  } catch (error) {
    rmSync(file);
    throw error;
  }
}

function dump(url: string, snapshot: string, file: string): Promise<unknown> {
  return runTool({
    program: 'pg_dump',
    args: [
      '--data-only',
      '--format=custom',
      `--snapshot=${snapshot}`,
      `--file=${file}`,
      ...[...SCHEMAS_WITH_ROWS, 'supabase_migrations'].map((name) => `--schema=${name}`),
      ...LEFT_OUT.map((name) => `--exclude-table-data=${name}`),
    ],
    url,
  });
}
