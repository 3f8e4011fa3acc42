import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../scripts/local/ports.ts';
import type { Environment } from '../../src/config.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  written(): { readonly stdout: string; readonly stderr: string };
  /** Ends it by SIGTERM. Returns its exit code and output. */
  end(): Promise<{ code: number | null; stdout: string; stderr: string }>;
}

/**
 * Starts `node src/server.ts` on a free port and waits until it is ready.
 * @throws Error with its output if it ends instead
 */
export async function startServerProcess(env: Environment): Promise<ServerProcess> {
  const port = String(await freePort());
  const child = spawn(process.execPath, ['src/server.ts'], {
    cwd: ROOT,
    env: { ...compileCache(), ...env, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The server ended: ${JSON.stringify(written)}`);
    await sleep(20);
  }
  return {
    url,
    pid: child.pid ?? 0,
    written: () => written,
    end: async () => {
      child.kill('SIGTERM');
      return { code: await ended, ...written };
    },
  };
}

function compileCache(): Environment {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}
