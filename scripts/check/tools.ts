import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '../db/paths.ts';

/** How a program ended, and everything it wrote. */
export type ToolRun = { code: number | null; output: string };

/**
 * Runs a program of the development dependencies.
 * @param name its name in node_modules/.bin
 * @param cwd the folder to run it in
 */
export function runTool(name: string, args: string[], cwd = ROOT): Promise<ToolRun> {
  const bin = path.join(ROOT, 'node_modules/.bin');
  // Their first line asks for `node`: that of this project, however they were started.
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` };
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(bin, name), args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: chunks.join('').trim() }));
  });
}
