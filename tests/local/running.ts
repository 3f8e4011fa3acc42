import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../scripts/db/paths.ts';
import { freePort } from '../../scripts/local/ports.ts';
import { readStack, type StackDescription } from '../../scripts/local/state.ts';

/** The exit code of a process, and its outputs. */
export type Ending = { code: number | null; stdout: string; stderr: string };

/** A process of `npm start`. */
export type Start = {
  child: ChildProcess;
  /** Returns its stdout so far. */
  stdout(): string;
  ended: Promise<Ending>;
};

/**
 * Runs the script of `npm start`, on a free port unless the environment has one.
 * @param command `npm start`, or by default its script, which is faster
 */
export async function start(
  environment: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, 'scripts/start.ts'],
): Promise<Start> {
  const port = String(await freePort());
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, args, {
    cwd: ROOT,
    // Without the compile cache a start takes twice the time.
    env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: port, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  const ended = new Promise<Ending>((resolve) =>
    child.once('close', (code) => resolve({ code, ...written })),
  );
  return { child, stdout: () => written.stdout, ended };
}

/**
 * Waits until a start is ready.
 * @returns its `stack.json`
 * @throws Error with its outputs if it ends instead
 */
export async function readiness(run: Start, localDir: string): Promise<StackDescription> {
  while (run.child.exitCode === null && run.child.signalCode === null) {
    const stack = readStack(localDir);
    // A killed run leaves a file with another process number.
    if (stack !== null && treeOf(run.child.pid ?? 0).includes(stack.pid)) return stack;
    await sleep(20);
  }
  throw new Error(`it ended before it was ready: ${JSON.stringify(await run.ended)}`);
}

/** Reads the process number of a local directory's Postgres; `null` after a stop. */
export function postmasterOf(localDir: string): number | null {
  try {
    return Number.parseInt(readFileSync(path.join(localDir, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  } catch {
    return null;
  }
}

type Process = { pid: number; parent: number; isDead: boolean };

/** Returns whether a process runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  return processes().some((process) => process.pid === pid && !process.isDead);
}

/** Returns a process and its descendants. */
export function treeOf(pid: number): number[] {
  const all = processes();
  const below = (parent: number): number[] =>
    all.filter((process) => process.parent === parent).flatMap((child) => [child.pid, ...below(child.pid)]);
  return [pid, ...below(pid)];
}

/** Kills a process if it runs. */
export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

function processes(): Process[] {
  if (!existsSync('/proc/self/status')) {
    const table = execFileSync('ps', ['-axo', 'pid=,ppid=,stat='], { encoding: 'utf8' });
    return table.trim().split('\n').map(parseRow);
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => readStatus(pid) ?? []);
}

function parseRow(row: string): Process {
  const [pid, parent, state] = row.trim().split(/\s+/);
  return { pid: Number(pid), parent: Number(parent), isDead: state?.startsWith('Z') ?? false };
}

function readStatus(pid: string): Process | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
    return { pid: Number(pid), parent, isDead: /^State:\s+[ZX]/m.test(status) };
  } catch {
    return null;
  }
}
