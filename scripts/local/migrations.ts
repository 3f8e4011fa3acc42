import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { withClient } from './connection.ts';
import { LocalError } from './errors.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const MIGRATIONS = path.join(ROOT, 'supabase/migrations');
const MIGRATION_FILE = /^(\d+)_.*\.sql$/;

/**
 * The migrations that a database has not had yet.
 * @param url connection URL of a role that may read the migration history
 * @returns file names of `supabase/migrations`, oldest first
 */
export async function pendingMigrations(url: string): Promise<string[]> {
  const applied = await withClient(url, async (client) => {
    const history = await client.query(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as exists`,
    );
    if (!history.rows[0]?.exists) return [];
    const found = await client.query('select version from supabase_migrations.schema_migrations');
    return found.rows.map((row) => String(row.version));
  });
  const files = existsSync(MIGRATIONS) ? readdirSync(MIGRATIONS) : [];
  return files.filter((file) => isPending(file, applied)).sort();
}

/**
 * Brings a database up to date by the Supabase CLI, which is not even started where nothing is pending.
 * @param ownerUrl connection URL of the role `postgres`
 * @returns the file names applied
 * @throws LocalError with what the CLI wrote where a migration fails; the ones before it stay applied
 */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const pending = await pendingMigrations(ownerUrl);
  if (pending.length > 0)
    await runCli(['migration', 'up', `--remote=${ownerUrl}`, '--yes', '--workdir', ROOT, '--agent=no']);
  return pending;
}

function isPending(file: string, applied: string[]): boolean {
  const version = MIGRATION_FILE.exec(file)?.[1];
  return version !== undefined && !applied.includes(version);
}

async function runCli(args: string[]): Promise<void> {
  // The CLI keeps notes for its telemetry in its home even where that is off.
  const home = mkdtempSync(path.join(os.tmpdir(), 'opine-cli-'));
  // SUPABASE_* of the user's shell are meant for the service, or for another project of the CLI.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SUPABASE_'));
  const quiet = {
    SUPABASE_HOME: home,
    SUPABASE_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    SUPABASE_NO_UPDATE_NOTIFIER: '1',
  };
  const program = path.join(
    path.dirname(createRequire(import.meta.url).resolve('supabase/package.json')),
    'dist/supabase.js',
  );
  try {
    const child = spawn(process.execPath, [program, ...args], {
      env: { ...Object.fromEntries(inherited), ...quiet },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    );
    if (code !== 0)
      throw new LocalError(`supabase ${args.slice(0, 2).join(' ')} failed:\n${output.join('').trim()}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
