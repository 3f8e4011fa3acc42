import path from 'node:path';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { createTokens } from '../../src/auth/tokens.ts';
import { ROOT } from '../db/paths.ts';
import type { Load, Timing } from './load-process.ts';
import { EXPIRES_AT, ISSUED_AT, ISSUER, idOf } from './population.ts';
import { type Server, startChild, startServer } from './processes.ts';
import { type ApiRequest, type Requests, SUPABASE_URL } from './requests.ts';
import { rateOf } from './rounds.ts';
import type { Database, World } from './world.ts';

/** Connections of the API's pool: its default. */
export const POOL_SIZE = 10;

/** The key that seals pending votes. */
export const PENDING_VOTE_KEY = Buffer.alloc(32, 'benchmarks').toString('base64');

/** The secret of HMACs. */
export const HASH_SECRET = 'a secret of benchmarks, long enough to be one';

/** The delay until votes appear in feeds, in seconds: the default. */
export const VOTE_ACTIVITY_DELAY = { from: 300, to: 1800 };

/** Keep-alive connections of the load: more than the API's pool, so that the pool never waits for the next request. */
const CONNECTIONS = 32;

/** Creates a signing key, and access tokens of the population as the service signs them, each signed once. */
export async function createBearers() {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), kid: 'bench', alg: 'ES256' };
  const tokens = await createTokens({ signingKeys: [signingKey], issuer: ISSUER });
  const signed = new Map<string, string>();
  const issuedAt = new Date(ISSUED_AT * 1000);
  return {
    signingKey,
    /** @param issue which of the user's tokens: each expires a second later than the one before */
    tokenOf: async (user: number, issue = 0) => {
      const name = `${user}/${issue}`;
      const known = signed.get(name);
      if (known !== undefined) return known;
      const expiresAt = new Date((EXPIRES_AT + issue) * 1000);
      const token = await tokens.sign({ userId: idOf(user), sessionId: idOf(user), issuedAt, expiresAt });
      signed.set(name, token);
      return token;
    },
  };
}

/** Returns the configuration of the API: as in production, it logs at `info` and does not check answers. */
export function apiEnvironment(database: Database, signingKey: JWK): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.urlAs('opine_gateway'),
    DATABASE_POOL_SIZE: String(POOL_SIZE),
    JWT_SIGNING_KEYS: JSON.stringify([signingKey]),
    HASH_SECRET,
    SUPABASE_URL,
    SUPABASE_SECRET_KEY: 'unused',
    SMS_PROVIDER: 'console',
    PENDING_VOTE_KEY,
    VOTE_ACTIVITY_DELAY_SECONDS: `${VOTE_ACTIVITY_DELAY.from}-${VOTE_ACTIVITY_DELAY.to}`,
    CHECK_ANSWERS: 'false',
  };
}

/** The API in a process of its own, and a load process. */
export interface Api extends Server {
  tokenOf(user: number, issue?: number): Promise<string>;
  /**
   * Sends a block of requests from the load process.
   * @param first the first number of the block
   * @returns the times of each request, in the order of the answers
   * @throws Error if an answer is not the expected one
   */
  load(requests: Requests, first: number, connections?: number): Promise<Timing[]>;
  /** Sends a block as `load` does, and returns requests per second. */
  rate(requests: Requests, first: number, connections?: number): Promise<number>;
  /**
   * Sends one request from this process.
   * @returns the answer's data, and when its head was there, by `performance.now`
   * @throws Error unless the status is 2xx
   */
  send<T>(request: ApiRequest): Promise<{ data: T; answeredAt: number }>;
}

/** Options of `startApi`. */
interface ApiOptions {
  /** The program: by default `src/server.ts`. */
  readonly program?: string;
  /** Changes to its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the API. Its log is a file in the world's folder. */
export async function startApi(
  { directory }: World,
  database: Database,
  { program = path.join(ROOT, 'src/server.ts'), environment: changes = {} }: ApiOptions = {},
): Promise<Api> {
  await using parts = new AsyncDisposableStack();
  const { signingKey, tokenOf } = await createBearers();
  const logFile = path.join(directory, `${path.basename(program, '.ts')}-${database.name}.log`);
  const environment = {
    ...apiEnvironment(database, signingKey),
    NODE_COMPILE_CACHE: path.join(directory, 'compiled'),
    ...changes,
  };
  const server = parts.use(await startServer(program, environment, logFile));
  const generator = parts.use(startChild('load-process.ts'));
  const started = parts.move();
  const requestOf = async ({ method, path, user, issue, body }: ApiRequest) => ({
    method,
    path: `/api/v1${path}`,
    headers: {
      accept: 'application/json',
      ...(user !== undefined && { authorization: `Bearer ${await tokenOf(user, issue)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const load: Api['load'] = async (
    { title, count, status, answerHolds, request },
    first,
    connections = CONNECTIONS,
  ) => {
    const requests: Load['requests'][number][] = [];
    for (let n = first; n < first + count; n += 1) requests.push(await requestOf(request(n)));
    const block: Load = { port: server.port, connections, status, answerHolds, requests };
    return generator.request<Timing[]>(block).catch((cause: Error) => {
      throw new Error(`${cause.message}: ${title}`, { cause });
    });
  };
  return {
    ...server,
    tokenOf,
    load,
    rate: async (...block) => rateOf((await load(...block)).map(([, answered]) => answered)),
    send: async (request) => {
      const { path, ...options } = await requestOf(request);
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, options);
      const answeredAt = performance.now();
      const text = await answer.text();
      if (!answer.ok)
        throw new Error(`${request.method} ${path} was answered with ${answer.status}: ${text}`);
      return { data: JSON.parse(text).data, answeredAt };
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
