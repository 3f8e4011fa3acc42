import path from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { DEVELOPMENT_KEY_X, type Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { checkEnvironment } from './check-environment.ts';
import { LOGIN_ROLE, LOGIN_ROLES, migrate, setPassword } from './database.ts';
import type { SupabaseCli } from './dev-cli.ts';
import { localEnvironment } from './environment.ts';
import { LocalError } from './errors.ts';
import { claimDirectory } from './instance.ts';
import type { Stack } from './stack.ts';
import { loadSecrets, openDirectory, publishStack, type Secrets, withdrawStack } from './state.ts';

/** What the service needs to know of a stack, as `supabase status -o env` names it. */
const Status = z.object({
  API_URL: z.url(),
  DB_URL: z.url(),
  PUBLISHABLE_KEY: z.string().min(1),
  SECRET_KEY: z.string().min(1),
});
type Status = z.infer<typeof Status>;

/** The signing key of every stack that `supabase start` starts without other settings: the CLI holds it, for everybody to know. */
export const DEVELOPMENT_KEY = {
  kty: 'EC',
  crv: 'P-256',
  kid: 'b81269f1-21d8-4f2e-b719-c2240a840d90',
  use: 'sig',
  alg: 'ES256',
  x: DEVELOPMENT_KEY_X,
  y: 'P6IXMvA2WYXSHSOMTBH2jsw_9rrzGy89FjPf6oOsIxQ',
  d: 'dIhR8wywJlqlua4y_yMq2SLhlFXDZJBCvFrY1DCHyVU',
} as const;

const KeySet = z.object({ keys: z.array(z.object({ kid: z.string().optional() })) });

/**
 * Starts the API and the worker on the stack of `supabase start`, which is started where it does not run: with the signing key
 * that the stack knows, pending migrations applied, and passwords for the service's logins. The stack runs on afterwards.
 * @param overrides the user's environment
 * @param signal when aborted, the start gives up after the step under way
 * @throws LocalError or ConfigError for what the user can mend
 */
export async function startDevStack(
  overrides: Environment,
  signal: AbortSignal,
  cli: SupabaseCli,
): Promise<Stack> {
  if (overrides.NODE_ENV === 'production') {
    throw new LocalError('npm run dev is for development only: it does not run with NODE_ENV=production');
  }
  await using parts = new AsyncDisposableStack();
  const directory = path.resolve(overrides.LOCAL_DIR || '.local', 'supabase');
  openDirectory(directory);
  parts.use(claimDirectory(directory));
  withdrawStack(directory);
  const secrets = { ...(await loadSecrets(directory)), signingKey: DEVELOPMENT_KEY };
  const config = await checkEnvironment(secrets, overrides);

  signal.throwIfAborted();
  const status = await runningStack(cli);
  signal.throwIfAborted();
  await requireKey(status);
  const databaseUrl = await prepareDatabase(status, secrets);
  signal.throwIfAborted();
  const places = { databaseUrl, storageUrl: status.API_URL, pushFile: path.join(directory, 'push.jsonl') };
  const keys = { ...secrets, storageKey: status.SECRET_KEY };
  const server = await startServer(localEnvironment(keys, places, overrides));
  parts.defer(() => server.stop());

  const description = {
    apiUrl: server.url,
    docsUrl: server.docsUrl,
    storageUrl: status.API_URL,
    publishableKey: status.PUBLISHABLE_KEY,
    databaseUrl: status.DB_URL,
    pid: process.pid,
  };
  publishStack(directory, description);
  parts.defer(() => withdrawStack(directory));
  const running = parts.move();
  return {
    description,
    config,
    hasDemoPeople: true,
    failed: new Promise(() => {}),
    stop: () => running.disposeAsync(),
  };
}

async function runningStack(cli: SupabaseCli): Promise<Status> {
  let output = await cli.status();
  if (output === null) {
    if ((await cli.start()) !== 0) {
      throw new LocalError('supabase start failed: is Docker running? npm start needs none');
    }
    output = await cli.status();
  }
  const status = Status.safeParse(parseEnv(output ?? ''));
  if (status.success) return status.data;
  const missing = status.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new LocalError(
    `supabase status does not tell ${missing}: are Auth, Storage and the gateway running?`,
  );
}

/** A stack with another signing key refuses every access token and signed URL of the service. */
async function requireKey({ API_URL, SECRET_KEY }: Status): Promise<void> {
  const url = new URL('/auth/v1/.well-known/jwks.json', API_URL);
  const answer = await fetch(url, { headers: { apikey: SECRET_KEY } }).catch((error: Error) => {
    throw new LocalError(`${url} cannot be reached: ${error.message}`);
  });
  const known = KeySet.safeParse(await answer.json().catch(() => null));
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
