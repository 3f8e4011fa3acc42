import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The exit code of a program, null after a signal, and its outputs. */
export type ProgramRun = { code: number | null; stdout: string; stderr: string };

/** Where and how a program runs. */
export type ProgramOptions = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };

/** Runs a program to its end, with `input` on its stdin. */
export async function runProgram(
  file: string,
  args: string[],
  { input = '', ...options }: ProgramOptions = {},
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
