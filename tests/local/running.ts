import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/local/ports.ts';
import type { StackDescription } from '../../scripts/local/state.ts';
import { treeOf } from './processes.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** How a process ended, and what it wrote. */
export type Ending = { code: number | null; stdout: string; stderr: string };

/** A start that is under way, or done. */
export type Start = {
  child: ChildProcess;
  /** What it wrote to stdout so far. */
  stdout(): string;
  ended: Promise<Ending>;
};

/**
 * Runs what `npm start` runs, on a free port unless one is given.
 * @param environment what it is told
 * @param command `npm start` itself, or what it runs, which is faster
 */
export async function start(
  environment: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, 'scripts/start.ts'],
): Promise<Start> {
  const port = String(await freePort());
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Else each start takes twice the time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: port,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  const ended = new Promise<Ending>((resolve) =>
    child.once('close', (code) => resolve({ code, ...written })),
  );
  return { child, stdout: () => written.stdout, ended };
}

/**
 * Waits until a start is ready.
 * @returns its `stack.json`
 * @throws Error with what it wrote where it ends instead
 */
export async function readiness(run: Start, localDir: string): Promise<StackDescription> {
  while (run.child.exitCode === null && run.child.signalCode === null) {
    const stack = readStack(localDir);
    // Another's is what a killed run left.
    if (stack !== null && treeOf(run.child.pid ?? 0).includes(stack.pid)) return stack;
    await sleep(20);
  }
  throw new Error(`it ended before it was ready: ${JSON.stringify(await run.ended)}`);
}

/** What `stack.json` says, or `null` where there is none. */
export function readStack(localDir: string): StackDescription | null {
  try {
    return JSON.parse(readFileSync(path.join(localDir, 'stack.json'), 'utf8'));
  } catch {
    return null;
  }
}

/** The process number of the Postgres of a local directory, or `null` where none runs or was killed. */
export function postmasterOf(localDir: string): number | null {
  try {
    return Number.parseInt(readFileSync(path.join(localDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  } catch {
    return null;
  }
}
