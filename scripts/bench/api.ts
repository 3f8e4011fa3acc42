import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JWK } from 'jose';
import { photosUrlOf } from '../../src/storage/buckets.ts';
import { ROOT } from '../db/paths.ts';
import { freePort } from '../local/ports.ts';
import { ISSUER } from './bearers.ts';

const READY_TIMEOUT_MS = 15_000;

/** Connections of the API's pool: its default. */
export const POOL_SIZE = 10;

const SUPABASE_URL = new URL('/', ISSUER).href;

/** What the API tells Postgres of its storage with each request. */
export const PHOTOS_URL = photosUrlOf(SUPABASE_URL);

/** The key that seals pending votes. */
export const PENDING_VOTE_KEY = Buffer.alloc(32, 'benchmarks').toString('base64');

/** When votes begin to show in feeds: the default. */
export const VOTE_ACTIVITY_DELAY = { from: 300, to: 1800 };

const PROBE = new URL('cpu-probe.ts', import.meta.url).href;

/** The service, running in a process of its own. */
export interface Api extends AsyncDisposable {
  readonly port: number;
  /** CPU time that it has used so far, user and system, in all its threads: microseconds. */
  cpuTime(): Promise<number>;
}

/** What the service is started with. */
export interface ApiOptions {
  /** Connection URL of opine_gateway. */
  readonly databaseUrl: string;
  readonly signingKey: JWK;
  readonly logFile: string;
}

/**
 * Starts `src/server.ts`: it logs as in production, into a file, and checks no answer, as in production.
 * @throws Error where it does not become ready
 */
export async function startApi(options: ApiOptions): Promise<Api> {
  const port = (await freePort()) ?? 0;
  const log = openSync(options.logFile, 'w');
  const child = spawn(process.execPath, ['--import', PROBE, path.join(ROOT, 'src/server.ts')], {
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      DATABASE_URL: options.databaseUrl,
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      JWT_SIGNING_KEYS: JSON.stringify([options.signingKey]),
      HASH_SECRET: 'a secret of benchmarks, long enough to be one',
      SUPABASE_URL,
      SUPABASE_SECRET_KEY: 'unused',
      SMS_PROVIDER: 'console',
      PENDING_VOTE_KEY,
      VOTE_ACTIVITY_DELAY_SECONDS: `${VOTE_ACTIVITY_DELAY.from}-${VOTE_ACTIVITY_DELAY.to}`,
      CHECK_ANSWERS: 'false',
    },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  const endWithParent = () => child.kill();
  process.once('exit', endWithParent);
  await becomesReady(child, port);
  return {
    port,
    cpuTime: async () => {
      const answered = once(child, 'message');
      child.send('CPU time');
      const [microseconds]: number[] = await answered;
      return microseconds ?? Number.NaN;
    },
    [Symbol.asyncDispose]: async () => {
      process.removeListener('exit', endWithParent);
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

async function becomesReady(child: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (child.exitCode === null && Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await pause(50);
  }
  child.kill();
  throw new Error('the API did not become ready');
}
