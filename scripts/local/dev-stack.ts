import path from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { ROOT } from '../db/paths.ts';
import { runSupabase, showSupabase } from '../db/supabase-cli.ts';
import { LOGIN_ROLE, LOGIN_ROLES, migrate, setPassword } from './database.ts';
import { checkEnvironment, localEnvironment } from './environment.ts';
import { LocalError } from './errors.ts';
import { createLogWriter } from './readable-log.ts';
import type { Stack } from './stack.ts';
import { openDirectory, publishStack, type Secrets } from './state.ts';

/** The commands of the Supabase CLI that `npm run dev` uses; they need Docker. */
export type SupabaseCli = {
  /** Returns the output of `supabase status`, by variable; null if no stack runs. */
  status(): Promise<string | null>;
  /** Starts the stack, and returns the CLI's exit code. */
  start(): Promise<number | null>;
};

// The service's own process replaces the edge runtime, and its pool the pooler.
const NOT_NEEDED = 'edge-runtime,imgproxy,mailpit,supavisor,logflare,vector';

/** The CLI of this repository, on its `supabase/` folder. */
export const supabaseCli: SupabaseCli = {
  status: async () => {
    const { code, stdout } = await runSupabase(['status', '-o', 'env'], ROOT);
    return code === 0 ? stdout : null;
  },
  start: () => showSupabase(['start', '--exclude', NOT_NEEDED], ROOT),
};

/** The variables of `supabase status -o env` that the service needs. */
const Status = z.object({
  API_URL: z.url(),
  DB_URL: z.url(),
  PUBLISHABLE_KEY: z.string().min(1),
  SECRET_KEY: z.string().min(1),
});
type Status = z.infer<typeof Status>;

/** The signing key of every stack that `supabase start` starts without other settings. The CLI contains it, so it is public. */
export const DEVELOPMENT_KEY = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'b81269f1-21d8-4f2e-b719-c2240a840d90',
  use: 'sig',
  alg: 'ES256',
  x: 'M5Sjqn5zwC9Kl1zVfUUGvv9boQjCGd45G8sdopBExB4',
  y: 'P6IXMvA2WYXSHSOMTBH2jsw_9rrzGy89FjPf6oOsIxQ',
  d: 'dIhR8wywJlqlua4y_yMq2SLhlFXDZJBCvFrY1DCHyVU',
} as const;

const KeySet = z.object({ keys: z.array(z.object({ kid: z.string().optional() })) });

/**
 * Starts the API and the worker on the stack of `supabase start`, and starts that stack if it does not run. Uses the
 * stack's signing key, applies pending migrations, and sets the passwords of the service's logins. The stack keeps running
 * afterwards.
 * @param overrides the user's environment
 * @param signal when it aborts, the start gives up after the current step
 * @throws LocalError or ConfigError for errors that the user can fix
 */
export async function startDevStack(
  overrides: Environment,
  signal: AbortSignal,
  cli: SupabaseCli,
): Promise<Stack> {
  await using parts = new AsyncDisposableStack();
  const directory = path.resolve(overrides.LOCAL_DIR || '.local', 'supabase');
  const stored = await openDirectory(directory, overrides, 'npm run dev', parts);
  const secrets = { ...stored, signingKey: DEVELOPMENT_KEY };
  const config = await checkEnvironment(secrets, overrides);
  const writeLog = createLogWriter(overrides.LOG_FORMAT, (text) => process.stdout.write(text));

  signal.throwIfAborted();
  const status = await runningStack(cli);
  signal.throwIfAborted();
  await requireKey(status);
  const databaseUrl = await prepareDatabase(status, secrets);
  signal.throwIfAborted();
  const places = { databaseUrl, storageUrl: status.API_URL, pushFile: path.join(directory, 'push.jsonl') };
  const keys = { ...secrets, storageKey: status.SECRET_KEY };
  const server = await startServer(localEnvironment(keys, places, overrides), writeLog);
  parts.defer(() => server.stop());

  const description = {
    apiUrl: server.url,
    docsUrl: server.docsUrl,
    storageUrl: status.API_URL,
    publishableKey: status.PUBLISHABLE_KEY,
    staffProviderUrl: null,
    databaseUrl: status.DB_URL,
    pid: process.pid,
  };
  publishStack(directory, description, parts);
  const running = parts.move();
  return {
    description,
    config,
    hasDemoPeople: true,
    reset: 'stop it, then npx supabase db reset',
    failed: new Promise(() => {}),
    stop: () => running.disposeAsync(),
  };
}

async function runningStack(cli: SupabaseCli): Promise<Status> {
  let output = await cli.status();
  if (output === null) {
    if ((await cli.start()) !== 0) {
      throw new LocalError('supabase start failed: is Docker running? npm start works without Docker');
    }
    output = await cli.status();
  }
  const status = Status.safeParse(parseEnv(output ?? ''));
  if (status.success) return status.data;
  const missing = status.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new LocalError(
    `supabase status does not print ${missing}: are Auth, Storage and the gateway running?`,
  );
}

/** Checks the stack's signing key: with another one it refuses every access token and signed URL of the service. */
async function requireKey({ API_URL, SECRET_KEY }: Status): Promise<void> {
  const url = new URL('/auth/v1/.well-known/jwks.json', API_URL);
  const response = await fetch(url, { headers: { apikey: SECRET_KEY } }).catch((error: Error) => {
    throw new LocalError(`${url} cannot be reached: ${error.message}`);
  });
  const known = KeySet.safeParse(await response.json().catch(() => null));
  if (known.data?.keys.some(({ kid }) => kid === DEVELOPMENT_KEY.kid)) return;
  throw new LocalError(
    "the running Supabase stack has another signing key than the CLI's own: stop it (npx supabase stop), unset SUPABASE_AUTH_SIGNING_KEYS_PATH, and run npm run dev again",
  );
}

async function prepareDatabase({ DB_URL }: Status, { servicePassword }: Secrets): Promise<string> {
  try {
    await migrate(DB_URL);
    await setPassword(DB_URL, LOGIN_ROLES, servicePassword);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new LocalError(
      `the database could not be prepared (npx supabase db reset starts afresh): ${reason}`,
    );
  }
  const url = new URL(DB_URL);
  url.username = LOGIN_ROLE;
  url.password = servicePassword;
  return url.href;
}
