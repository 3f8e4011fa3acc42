import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { type ProgramRun, runProgram } from '../run-program.ts';

const PROGRAM = path.join(
  path.dirname(createRequire(import.meta.url).resolve('supabase/package.json')),
  'dist/supabase.js',
);

/**
 * Runs the Supabase CLI of this repository and captures its output.
 * @param workdir the parent of `supabase/`
 */
export async function runSupabase(args: string[], workdir: string): Promise<ProgramRun> {
  // The CLI writes telemetry files into its home even with telemetry off.
  const home = mkdtempSync(path.join(os.tmpdir(), 'opine-cli-'));
  // SUPABASE_* of the user's shell configures the service or another project of the CLI.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SUPABASE_'));
  const env = {
    ...Object.fromEntries(inherited),
    SUPABASE_HOME: home,
    SUPABASE_TELEMETRY_DISABLED: '1',
    SUPABASE_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
  };
  try {
    const command = [PROGRAM, ...args, '--workdir', workdir, '--agent=no'];
    return await runProgram(process.execPath, command, { env });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Runs the Supabase CLI of this repository in the user's terminal.
 * @param workdir the parent of `supabase/`
 * @returns its exit code, null after a signal
 */
export async function showSupabase(args: string[], workdir: string): Promise<number | null> {
  const child = spawn(process.execPath, [PROGRAM, ...args, '--workdir', workdir], { stdio: 'inherit' });
  const [code] = await once(child, 'close');
  return code;
}

/**
 * Applies the pending migrations of a folder to a database.
 * @param ownerUrl connection URL of the role `postgres`
 * @param workdir the parent of `supabase/`
 * @returns the CLI's output
 * @throws Error with the CLI's output if a migration fails; earlier ones stay applied
 */
export async function migrateUp(ownerUrl: string, workdir: string): Promise<string> {
  const { code, stdout, stderr } = await runSupabase(
    ['migration', 'up', `--remote=${ownerUrl}`, '--yes'],
    workdir,
  );
  const output = `${stderr}${stdout}`.trim();
  if (code !== 0) throw new Error(`supabase migration up failed:\n${output}`);
  return output;
}
