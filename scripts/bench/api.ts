import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { exportJWK, generateKeyPair } from 'jose';
import { createTokens, type Tokens } from '../../src/identity/tokens.ts';
import { ROOT } from '../db/paths.ts';
import { freePort } from '../local/ports.ts';
import type { ApiRequest, Comparison } from './comparison.ts';
import type { Load } from './load-process.ts';
import { EXPIRES_AT, ISSUED_AT, ISSUER, idOf } from './population.ts';
import { RUN_UP, rateOf } from './rates.ts';

const READY_TIMEOUT_MS = 15_000;

/** Keep-alive connections of the load generator: enough that the API's pool never waits for the next request. */
const HTTP_CONNECTIONS = 32;

/** The service, running in a process of its own. */
export interface Api extends AsyncDisposable {
  /**
   * Lets the load generator, a process too, make a block of requests.
   * @param first the first number of the block
   * @returns requests a second
   * @throws Error where an answer is not the one expected
   */
  load(comparison: Comparison, first: number): Promise<number>;
}

/**
 * Starts `src/server.ts` as in production, its log in a file.
 * @param databaseUrl connection URL of opine_gateway
 * @param directory a folder for files
 * @throws Error where it does not become ready
 */
export async function startApi(databaseUrl: string, poolSize: number, directory: string): Promise<Api> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'bench', alg: 'ES256' };
  const tokens = await createTokens({ signingKeys: [key], issuer: ISSUER });
  const port = (await freePort()) ?? 0;
  const log = openSync(path.join(directory, 'api.log'), 'w');
  const child = spawn(process.execPath, [path.join(ROOT, 'src/server.ts')], {
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
      DATABASE_URL: databaseUrl,
      DATABASE_POOL_SIZE: String(poolSize),
      JWT_SIGNING_KEYS: JSON.stringify([key]),
      HASH_SECRET: 'a secret of benchmarks, long enough to be one',
      SUPABASE_URL: new URL('/', ISSUER).href,
      SMS_PROVIDER: 'console',
      CHECK_ANSWERS: 'false',
    },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const killWithParent = () => child.kill();
  process.once('exit', killWithParent);
  await becomesReady(child, port);
  return {
    load: async ({ count, request, status, answerHolds }, first) => {
      const block = Array.from({ length: count }, (_, index) => request(first + index));
      const requests = await requestTexts(block, tokens);
      const file = path.join(directory, 'load.json');
      const load: Load = { port, connections: HTTP_CONNECTIONS, status, answerHolds, requests };
      writeFileSync(file, JSON.stringify(load));
      return rateOf(await runLoad(file), RUN_UP);
    },
    [Symbol.asyncDispose]: async () => {
      process.removeListener('exit', killWithParent);
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

async function requestTexts(requests: readonly ApiRequest[], tokens: Tokens): Promise<string[]> {
  const bearers = new Map<number, string>();
  for (const { user } of requests) {
    if (user !== undefined && !bearers.has(user)) bearers.set(user, await bearerOf(user, tokens));
  }
  return requests.map(({ method, path, user, body }) => {
    const json = body === undefined ? '' : JSON.stringify(body);
    const lines = [
      `${method} /api/v1${path} HTTP/1.1`,
      'host: 127.0.0.1',
      'accept: application/json',
      ...(user === undefined ? [] : [`authorization: Bearer ${bearers.get(user)}`]),
      ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${json.length}`]),
    ];
    return `${lines.join('\r\n')}\r\n\r\n${json}`;
  });
}

function bearerOf(user: number, tokens: Tokens): Promise<string> {
  return tokens.sign({
    userId: idOf(user),
    sessionId: idOf(user),
    issuedAt: new Date(ISSUED_AT * 1000),
    expiresAt: new Date(EXPIRES_AT * 1000),
  });
}

/** Runs the load generator and returns when each answer came, in seconds. */
async function runLoad(file: string): Promise<number[]> {
  const program = path.join(import.meta.dirname, 'load-process.ts');
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error('the load generator failed');
  return JSON.parse(output) as number[];
}
