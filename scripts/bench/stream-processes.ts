import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../local/ports.ts';
import type { Order } from './stream-clients.ts';
import type { Delays, Question } from './stream-probe.ts';
import { CLIENTS } from './stream-sizes.ts';

const PROBE = new URL('stream-probe.ts', import.meta.url).href;
const CLIENT = path.join(import.meta.dirname, 'stream-clients.ts');
const READY_TIMEOUT_MS = 15_000;

/** A server that holds streams, in a process of its own. */
export interface Holder extends AsyncDisposable {
  readonly port: number;
  /** Bytes of resident memory. @param isCollected after the garbage was collected */
  memory(isCollected: boolean): Promise<number>;
  /** How late its event loop is for so long. */
  delays(forMs: number): Promise<Delays>;
}

/** Processes that hold the other ends of streams. */
export interface Clients extends Disposable {
  /** Opens one for each token. @returns when all of them are told that they are ready */
  open(port: number, tokens: readonly string[]): Promise<void>;
  /** How many comments came since they were last asked. */
  comments(): Promise<number>;
  leave(): Promise<void>;
}

/**
 * Starts a server.
 * @param env its environment, without where it listens
 * @throws Error where it does not become ready
 */
export async function startHolder(
  program: string,
  env: Readonly<Record<string, string>>,
  logFile: string,
): Promise<Holder> {
  const port = (await freePort()) ?? 0;
  const log = openSync(logFile, 'w');
  const child = fork(program, [], {
    execArgv: ['--expose-gc', '--import', PROBE],
    env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const endWithParent = () => child.kill();
  process.once('exit', endWithParent);
  await becomesReady(child, port);
  const ask = <T>(question: Question) => answerTo<T>(child, question);
  return {
    port,
    memory: (isCollected) => ask<number>(isCollected ? 'collected memory' : 'memory'),
    delays: async (forMs) => {
      await ask('begin delays');
      await pause(forMs);
      return ask<Delays>('delays');
    },
    [Symbol.asyncDispose]: async () => {
      process.removeListener('exit', endWithParent);
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Starts the clients, each with its share of what is opened. */
export function startClients(): Clients {
  const children = Array.from({ length: CLIENTS }, () => fork(CLIENT));
  const tell = async (orderOf: (place: number) => Order) => {
    const counts = children.map((child, place) => answerTo<number>(child, orderOf(place)));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  return {
    open: async (port, tokens) => {
      const share = (place: number) => tokens.filter((_, n) => n % CLIENTS === place);
      await tell((place) => ({ what: 'open', port, tokens: share(place) }));
    },
    comments: () => tell(() => ({ what: 'comments' })),
    leave: async () => {
      await tell(() => ({ what: 'leave' }));
    },
    [Symbol.dispose]: () => {
      for (const child of children) if (child.connected) child.disconnect();
    },
  };
}

/** @throws Error where the process ends instead */
async function answerTo<T>(child: ChildProcess, question: Order | Question): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onExit = () => reject(new Error('a process ended early'));
  child.once('message', (answer) => resolve(answer as T));
  child.once('exit', onExit);
  child.send(question);
  return promise.finally(() => child.removeListener('exit', onExit));
}

async function becomesReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await pause(50);
  }
  child.kill();
  throw new Error('a server did not become ready');
}
