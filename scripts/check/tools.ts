import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

/** How a program ended, and everything it wrote. */
export type ToolRun = { code: number | null; output: string };

/** Where to run a program: by default in the repository, with the environment of this process and no other variables. */
export type ToolOptions = { cwd?: string; env?: NodeJS.ProcessEnv };

/**
 * Runs a program of the development dependencies.
 * @param name its name in node_modules/.bin
 */
export function runTool(
  name: string,
  args: string[],
  { cwd = ROOT, env: variables }: ToolOptions = {},
): Promise<ToolRun> {
  const bin = path.join(ROOT, 'node_modules/.bin');
  // Their first line asks for `node`: that of this project, however they were started.
  const env = { ...process.env, ...variables, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(bin, name), args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: chunks.join('').trim() }));
  });
}
