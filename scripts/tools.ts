import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './db/paths.ts';
import { type ProgramOptions, type ProgramRun, runProgram } from './run-program.ts';

/** The npm project of what only checks, generators, packing, benchmarks and the system tests need. */
export const TOOLS = path.join(ROOT, 'tools');

/** The compiler. npm links only one `tsc` of the two installed versions. */
export const TSC = path.join(TOOLS, 'node_modules/typescript-7/bin/tsc');

const BIN = path.join(ROOT, 'node_modules/.bin');
const LOCK = path.join(TOOLS, 'package-lock.json');
// Its script `postinstall` copies the lock file after everything else.
const INSTALLED_LOCK = path.join(TOOLS, 'node_modules/package-lock.json');

/** Returns whether tools are installed, of this lock file or of another. */
export function hasTools(): boolean {
  return existsSync(INSTALLED_LOCK);
}

/**
 * Installs the tools, unless those of the lock file are installed. An interrupted installation is repeated.
 * @throws Error if npm fails
 */
export function installTools(): void {
  if (hasTools() && readFileSync(INSTALLED_LOCK, 'utf8') === readFileSync(LOCK, 'utf8')) return;
  process.stderr.write('Installing the tools, once (1 GB): npm ci --prefix tools\n');
  const { status } = spawnSync('npm', ['ci', '--prefix', TOOLS], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('The tools are not installed: npm ci --prefix tools failed.');
}

/**
 * Runs a program of the npm packages of the repository, or of the tools, which it installs.
 * @param options.env variables beside those of this process
 * @returns its run, with both outputs as `output`
 */
export async function runTool(
  name: string,
  args: string[],
  { cwd = ROOT, env: variables, ...options }: ProgramOptions = {},
): Promise<ProgramRun & { output: string }> {
  // The first line of these programs names `node`, which has to be the one of this project.
  const env = { ...process.env, ...variables, PATH: `${BIN}${path.delimiter}${process.env.PATH}` };
  const run = await runProgram(programFile(name), args, { cwd, env, ...options });
  return { ...run, output: `${run.stdout}${run.stderr}`.trim() };
}

function programFile(name: string): string {
  const file = path.join(BIN, name);
  if (existsSync(file)) return file;
  installTools();
  return path.join(TOOLS, 'node_modules/.bin', name);
}
