import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../local/ports.ts';

const PROBE = new URL('probe.ts', import.meta.url).href;
const READY_TIMEOUT_MS = 60_000;

/** What the parent can request of a server. */
export type Question = 'CPU time' | 'memory' | 'memory without garbage' | 'start delays' | 'delays';

/** Delays of the event loop in milliseconds. */
export interface Delays {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

/** A process that answers messages. */
export interface Child extends AsyncDisposable {
  /**
   * Sends a message and returns the answer.
   * @throws Error if the process ends instead
   */
  request<T>(message: object): Promise<T>;
  isRunning(): boolean;
}

/** A server in a process of its own. */
export type Server = Awaited<ReturnType<typeof startServer>>;

/** Options of a child process. */
interface ChildOptions {
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile?: string;
}

/** Starts a program of this folder, or by its absolute path. It ends with this process. */
export function startChild(program: string, { args, execArgv, env, logFile }: ChildOptions = {}): Child {
  const stdout = logFile === undefined ? 'inherit' : openSync(logFile, 'w');
  const child = fork(path.resolve(import.meta.dirname, program), args, {
    execArgv: [...(execArgv ?? [])],
    env: env ?? process.env,
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  });
  if (typeof stdout === 'number') closeSync(stdout);
  const kill = () => child.kill();
  process.once('exit', kill);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    request: async <T>(message: object) => {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const onExit = () => reject(new Error(`${path.basename(program)} ended early`));
      if (!isRunning()) onExit();
      child.once('message', (answer) => resolve(answer as T));
      child.once('exit', onExit);
      child.send(message, (error) => error && onExit());
      return promise.finally(() => child.removeListener('exit', onExit));
    },
    [Symbol.asyncDispose]: async () => {
      process.removeListener('exit', kill);
      if (!isRunning()) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/**
 * Starts a server and waits until it is ready.
 * @param env its environment, without its address
 * @throws Error if it does not become ready
 */
export async function startServer(program: string, env: Readonly<Record<string, string>>, logFile: string) {
  const port = (await freePort()) ?? 0;
  const child = startChild(program, {
    // The second and third are those of the Dockerfile.
    execArgv: ['--expose-gc', '--heap-growing-percent=100', '--max-semi-space-size=4', '--import', PROBE],
    env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
    logFile,
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok;
  while (!(await isReady())) {
    if (child.isRunning() && Date.now() < deadline) await pause(50);
    else {
      await child[Symbol.asyncDispose]();
      throw new Error(`${path.basename(program)} did not become ready`);
    }
  }
  const request = <T>(question: Question) => child.request<T>({ question });
  return {
    port,
    /** Returns the CPU time so far of all threads, user and system, in microseconds. */
    cpuTime: () => request<number>('CPU time'),
    /** Returns the resident memory in bytes. @param isCollected whether to collect garbage before */
    memory: (isCollected: boolean) => request<number>(isCollected ? 'memory without garbage' : 'memory'),
    /** Returns the event-loop delays during a time. */
    delays: async (durationMs: number) => {
      await request('start delays');
      await pause(durationMs);
      return request<Delays>('delays');
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Answers each message of the parent process. An error ends this process with exit code 1. */
export function answerParent<T>(answer: (message: T) => unknown): void {
  process.on('message', async (message: T) => {
    try {
      process.send?.((await answer(message)) ?? null);
    } catch (error) {
      fail(error);
    }
  });
  process.on('disconnect', () => process.exit());
}

/** Ends this process with an error message. */
export function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
