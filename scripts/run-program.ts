import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './db/paths.ts';

/** The exit code of a program, null after a signal, and its outputs. */
export type ProgramRun = { code: number | null; stdout: string; stderr: string };

type Options = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };

/** Runs a program to its end, with `input` on its stdin. */
export async function runProgram(
  file: string,
  args: string[],
  { input = '', ...options }: Options = {},
): Promise<ProgramRun> {
  const child = spawn(file, args, options);
  // A program may end before it has read everything.
  child.stdin.on('error', () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

/**
 * Runs a program of node_modules/.bin in the repository.
 * @param options.env variables beside those of this process
 * @returns its run, with both outputs as `output`
 */
export async function runTool(
  name: string,
  args: string[],
  { cwd = ROOT, env: variables, ...options }: Options = {},
): Promise<ProgramRun & { output: string }> {
  const bin = path.join(ROOT, 'node_modules/.bin');
  // The first line of these programs names `node`, which has to be the one of this project.
  const env = { ...process.env, ...variables, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  const run = await runProgram(path.join(bin, name), args, { cwd, env, ...options });
  return { ...run, output: `${run.stdout}${run.stderr}`.trim() };
}
