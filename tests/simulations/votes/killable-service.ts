import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../../scripts/db/paths.ts';
import { freePort } from '../../../scripts/local/ports.ts';
import type { Environment } from '../../../src/config.ts';
import type { Json } from '../../support/client.ts';

/** The service in its own process; a restart keeps its address. */
export interface KillableService {
  readonly url: string;
  /** Starts it after a kill. @param directory of another version; by default this one */
  start(directory?: string): Promise<void>;
  /** Waits until `/readyz` is 200. */
  ready(): Promise<void>;
  /** Ends the process by a signal, by default SIGKILL. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Returns the log lines of all its processes. */
  logged(): Json[];
}

/** Starts the service; the caller kills it. @param directory of another version; by default this one */
export async function startKillableService(env: Environment, directory?: string): Promise<KillableService> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let written = '';
  let log = '';
  const endWithTests = () => child?.kill('SIGKILL');
  const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const service: KillableService = {
    url,
    start: async (directory = ROOT) => {
      written = '';
      child = spawn(process.execPath, ['src/server.ts'], {
        cwd: directory,
        env: { ...env, PORT: port },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      // Drop the unfinished last line of the killed process.
      log = log.slice(0, log.lastIndexOf('\n') + 1);
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        written += text;
      });
      process.once('exit', endWithTests);
      await service.ready();
    },
    ready: async () => {
      while (!(await isReady(url))) {
        if (hasEnded()) throw new Error(`The service ended: ${written}`);
        await pause(20);
      }
    },
    kill: async (signal = 'SIGKILL') => {
      process.removeListener('exit', endWithTests);
      if (child === undefined || hasEnded()) return;
      const ended = once(child, 'close');
      child.kill(signal);
      await ended;
    },
    logged: () =>
      log
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
  };
  await service.start(directory);
  return service;
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}
