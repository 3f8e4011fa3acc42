import { withClient } from '../local/connection.ts';
import { SCHEMAS_WITH_ROWS } from './dump.ts';
import { pipeTools, runTool } from './postgres-tools.ts';

// As with what a dump leaves out: what is lost says so by a transaction of another server.
const FINISH = 'delete from app.feed_events where ended_at is not null;\ncommit;\n';

const MIGRATIONS = 'supabase_migrations.schema_migrations';

/**
 * Replaces the rows of a migrated database in which nobody has signed in yet by those of a dump; all of them, or nothing
 * where it fails. No trigger fires: what they would count and announce is among the rows.
 * @param ownerUrl connection URL of the role that owns the database, which may set `session_replication_role`
 * @param file what `dumpDatabase` wrote
 * @throws Error where somebody has signed in, where dump and database have other migrations, or a program fails
 */
export async function restoreDatabase(ownerUrl: string, file: string): Promise<void> {
  const [kept, found] = [await migrationsIn(file), await migrationsOf(ownerUrl)];
  if (kept.join() !== found.join()) {
    throw new Error(
      `the dump is of a database with migrations ${kept}, and this one has ${found.join() || 'none: npm run db:migrate'}`,
    );
  }
  const tables = await tablesToFill(ownerUrl);
  await pipeTools(
    {
      program: 'pg_restore',
      args: ['--data-only', '--file=-', ...SCHEMAS_WITH_ROWS.map((name) => `--schema=${name}`), file],
    },
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

/** The versions of the migrations that a dump's database had. */
async function migrationsIn(file: string): Promise<string[]> {
  const text = await runTool({
    program: 'pg_restore',
    args: ['--data-only', '--file=-', '--schema=supabase_migrations', '--table=schema_migrations', file],
  });
  const [, columns = '', rows = ''] = /^COPY \S+ \((.*)\) FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(text) ?? [];
  const place = columns.split(', ').indexOf('version');
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => row.split('\t')[place] ?? '')
    .sort();
}

async function migrationsOf(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query(`select where to_regclass($1) is not null`, [MIGRATIONS]);
    if (rowCount === 0) return [];
    const { rows } = await client.query<{ version: string }>(
      `select version from ${MIGRATIONS} order by version`,
    );
    return rows.map(({ version }) => version);
  });
}

async function tablesToFill(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rowCount } = await client.query('select from app.sessions limit 1');
    if (rowCount !== 0) throw new Error('somebody has signed in to this database: restore into a new one');
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
      [SCHEMAS_WITH_ROWS],
    );
    return rows.map(({ name }) => name);
  });
}
