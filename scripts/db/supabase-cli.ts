import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** What a run of the Supabase CLI came to: its exit code, and what it wrote to either output. */
export type CliRun = { code: number | null; output: string; errors: string };

const PROGRAM = path.join(
  path.dirname(createRequire(import.meta.url).resolve('supabase/package.json')),
  'dist/supabase.js',
);

/**
 * Runs the Supabase CLI of this repository.
 * @param args the command and its options
 * @param workdir the folder that holds `supabase/`
 * @returns how it ended, whatever its exit code
 */
export async function runSupabase(args: string[], workdir: string): Promise<CliRun> {
  // The CLI keeps notes for its telemetry in its home even where that is off.
  const home = mkdtempSync(path.join(os.tmpdir(), 'opine-cli-'));
  try {
    return await capture([PROGRAM, ...args, '--workdir', workdir, '--agent=no'], quietEnvironment(home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Runs the Supabase CLI of this repository as its user would, who watches.
 * @param args the command and its options
 * @param workdir the folder that holds `supabase/`
 * @returns its exit code, null where a signal ended it
 */
export function showSupabase(args: string[], workdir: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args, '--workdir', workdir], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

/**
 * Applies the pending migrations of a folder to a database.
 * @param ownerUrl connection URL of the role `postgres`
 * @param workdir the folder that holds `supabase/`
 * @returns what the CLI wrote
 * @throws Error with what the CLI wrote where a migration fails; the ones before it stay applied
 */
export async function migrateUp(ownerUrl: string, workdir: string): Promise<string> {
  const { code, output, errors } = await runSupabase(
    ['migration', 'up', `--remote=${ownerUrl}`, '--yes'],
    workdir,
  );
  const written = `${errors}${output}`.trim();
  if (code !== 0) throw new Error(`supabase migration up failed:\n${written}`);
  return written;
}

function quietEnvironment(home: string): NodeJS.ProcessEnv {
  // SUPABASE_* of the user's shell are meant for the service, or for another project of the CLI.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SUPABASE_'));
  return {
    ...Object.fromEntries(inherited),
    SUPABASE_HOME: home,
    SUPABASE_TELEMETRY_DISABLED: '1',
    SUPABASE_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
  };
}

function capture(args: string[], env: NodeJS.ProcessEnv): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const run: CliRun = { code: null, output: '', errors: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      run.output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      run.errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ ...run, code }));
  });
}
