import { rmSync, writeFileSync } from 'node:fs';
import type pg from 'pg';
import { withClient } from '../local/connection.ts';
import { pipeTools, runTool } from './postgres-tools.ts';

/** The schemas with our rows. Functions and policies come from the migrations, and `api` has nothing else. */
export const SCHEMAS_WITH_ROWS = ['app', 'gateway', 'staff'];

const LEFT_OUT: readonly string[] = [
  // In flight to phones and streams: a copy would deliver it twice. The inbox has all of it.
  'app.outbox',
  'app.push_leases',
  'app.pushes',
  // For the pagination of feeds, by transaction ids of this server: on another server these lie in the future.
  'app.score_changes',
  'app.feed_changes',
];
// For the same reason as score_changes: feed_events names transactions of the other server.
const FINISH = `
delete from app.feed_events where ended_at is not null;
update app.feed_events set begun_by = null where begun_by is not null;
commit;
`;

const MIGRATIONS = 'supabase_migrations.schema_migrations';

/**
 * Writes the rows of a database and its migration history into a file, by `pg_dump`.
 * @param ownerUrl connection URL of the owner; not through a pooler in transaction mode
 * @param file target in the custom format, readable by its owner alone
 * @param leftOut tables without rows in the dump; by default those that mean nothing to another server
 * @throws Error if the file exists or a program fails
 */
export async function dumpDatabase(ownerUrl: string, file: string, leftOut = LEFT_OUT): Promise<void> {
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  const args = [
    '--data-only',
    '--format=custom',
    `--file=${file}`,
    ...[...SCHEMAS_WITH_ROWS, 'supabase_migrations'].map((name) => `--schema=${name}`),
    ...leftOut.map((name) => `--exclude-table-data=${name}`),
  ];
  try {
    await withFoldedSnapshot(ownerUrl, (snapshot) =>
      runTool({ program: 'pg_dump', args: [...args, `--snapshot=${snapshot}`], url: ownerUrl }),
    );
  } catch (error) {
    rmSync(file);
    throw error;
  }
}

/**
 * Takes a snapshot in which every vote is folded, so that its reader cannot pair a voter with a position
 * (docs/vote-secrecy.md). Requests of users wait for some milliseconds.
 * @param use reads by the snapshot's id, which is valid until it returns
 * @throws the database's error if a lock takes longer than two seconds; only folds have happened then
 */
function withFoldedSnapshot<T>(ownerUrl: string, use: (snapshot: string) => Promise<T>): Promise<T> {
  return withClient(ownerUrl, (holder) =>
    withClient(ownerUrl, async (reader) => {
      // Two sessions that wait for each other both give up, and users never wait longer.
      for (const client of [holder, reader]) await client.query(`set lock_timeout = '2s'`);
      // Fold most votes before the lock, which makes users wait.
      await fold(reader);
      await holder.query('begin');
      // A vote reads its session first, so this lock waits for votes in progress and keeps new ones out. The fold does not read sessions.
      await holder.query('lock table app.sessions in access exclusive mode');
      await fold(reader);
      await reader.query('begin isolation level repeatable read, read only');
      const { rows } = await reader.query<{ id: string }>('select pg_export_snapshot() as id');
      await holder.query('commit');
      return use(rows[0]?.id ?? '');
    }),
  );
}

/** Folds votes that are readable without a key; ballots stay sealed. */
async function fold(client: pg.Client): Promise<void> {
  await client.query('select app.fold_pools(0::smallint), app.fold_pools(1::smallint)');
  for (let isMore = true; isMore; ) {
    const { rows } = await client.query<{ more: boolean }>('select app.fold_receipts() as more');
    isMore = rows[0]?.more ?? false;
  }
}

/**
 * Replaces the rows of a migrated database without sessions by those of a dump, in one transaction. Triggers do not
 * fire: the dump has their effects.
 * @param ownerUrl connection URL of the owner, with the right to set `session_replication_role`
 * @param file dump of `dumpDatabase`
 * @throws Error if the database has sessions or other migrations than the dump, or a program fails
 */
export async function restoreDatabase(ownerUrl: string, file: string): Promise<void> {
  const [dumped, present] = [await migrationsInDump(file), await migrationsInDatabase(ownerUrl)];
  if (dumped.join() !== present.join()) {
    throw new Error(
      `the dump has the migrations ${dumped}, and this database has ${present.join() || 'none: npm run db:migrate'}`,
    );
  }
  const tables = await tablesToFill(ownerUrl);
  const schemas = SCHEMAS_WITH_ROWS.map((name) => `--schema=${name}`);
  await pipeTools(
    { program: 'pg_restore', args: ['--data-only', '--file=-', ...schemas, file] },
    {
      program: 'psql',
      args: [
        '--no-psqlrc',
        '--quiet',
        '--set=ON_ERROR_STOP=1',
        '--command=begin',
        '--command=set session_replication_role = replica',
        `--command=truncate ${tables.join()}`,
        '--file=-',
      ],
      url: ownerUrl,
    },
    FINISH,
  );
  await withClient(ownerUrl, (owner) => owner.query(`analyze ${tables.join()}`));
}

async function migrationsInDump(file: string): Promise<string[]> {
  const text = await runTool({
    program: 'pg_restore',
    args: ['--data-only', '--file=-', '--schema=supabase_migrations', '--table=schema_migrations', file],
  });
  const [, columns = '', rows = ''] = /^COPY \S+ \((.*)\) FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(text) ?? [];
  const index = columns.split(', ').indexOf('version');
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t')[index] ?? '')
    .sort();
}

function migrationsInDatabase(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query(`select where to_regclass($1) is not null`, [MIGRATIONS]);
    if (rowCount === 0) return [];
    const { rows } = await client.query<{ version: string }>(
      `select version from ${MIGRATIONS} order by version`,
    );
    return rows.map(({ version }) => version);
  });
}

function tablesToFill(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query('select from app.sessions limit 1');
    if (rowCount !== 0) throw new Error('this database has sessions: restore into a new one');
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
      [SCHEMAS_WITH_ROWS],
    );
    return rows.map(({ name }) => name);
  });
}
