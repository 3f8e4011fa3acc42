import { Buffer } from 'node:buffer';
import { hkdfSync } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Config, type Environment, readConfig, withoutEmptyVariables } from '../../src/config.ts';
import { LOGIN_ROLE } from './database.ts';
import { LocalError } from './errors.ts';
import { freePort } from './ports.ts';
import { STAFF_CLIENT_ID, STAFF_DOMAIN } from './staff-provider.ts';
import type { Secrets } from './state.ts';

/** The people of `supabase/seed.sql` with a test number, for the output of `npm start`. */
export const DEMO_PEOPLE = [
  { name: 'Maya', phoneNumber: '+12025550101' },
  { name: 'Jonas', phoneNumber: '+12025550102' },
  { name: 'Amara', phoneNumber: '+12025550103' },
] as const;

/** The one-time code of every local test number. */
export const DEMO_CODE = '4242';

const LOOPBACK_ORIGINS = ['localhost', '127.0.0.1', '[::1]']
  .flatMap((host) => [`http://${host}:*`, `https://${host}:*`])
  .join(',');

/** What the service's environment on this machine refers to. */
export interface LocalParts {
  readonly databaseUrl: string;
  readonly storageUrl: string;
  readonly pushFile: string;
  /** Null or absent without the local staff provider. */
  readonly staffProviderUrl?: string | null;
}

/**
 * Returns the service's environment on this machine: local defaults, overridden by the user's variables.
 * @param secrets the local directory's secrets
 * @param parts the addresses of the stack's parts, and the file of push messages
 * @param overrides the user's environment; an empty variable counts as missing
 */
export function localEnvironment(secrets: Secrets, parts: LocalParts, overrides: Environment): Environment {
  return {
    NODE_ENV: 'development',
    DATABASE_URL: parts.databaseUrl,
    JWT_SIGNING_KEYS: JSON.stringify([secrets.signingKey]),
    HASH_SECRET: secrets.hashSecret,
    PENDING_VOTE_KEY: pendingVoteKeyOf(secrets),
    SMS_PROVIDER: 'console',
    SMS_TEST_NUMBERS: `+1202555*=${DEMO_CODE}`,
    SMS_TEST_NUMBERS_WAIT: 'false',
    // Nobody who tries things out meets a limit.
    LIMITS_FACTOR: '100',
    NEW_ACCOUNT_SHARE: '1',
    PORT: '8787',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    SUPABASE_URL: parts.storageUrl,
    SUPABASE_SECRET_KEY: secrets.storageKey,
    IDP_ISSUER: 'https://securetoken.google.com/opine-local',
    IDP_AUDIENCE: 'opine-local',
    ...(parts.staffProviderUrl && staffSignInBy(parts.staffProviderUrl)),
    PUSH_FILE: parts.pushFile,
    CORS_ORIGINS: LOOPBACK_ORIGINS,
    WEB_APP: 'true',
    // Share links and invitations lead into the reference app.
    APP_URL: `http://localhost:${overrides.PORT || '8787'}`,
    CHECK_ANSWERS: 'true',
    // Two connections for each core: more of them evict each other's caches (docs/deployment.md).
    DATABASE_POOL_SIZE: String(2 * availableParallelism()),
    ...withoutEmptyVariables(overrides),
  };
}

function staffSignInBy(providerUrl: string): Environment {
  return {
    STAFF_IDP_CLIENT_ID: STAFF_CLIENT_ID,
    STAFF_ALLOWED_DOMAIN: STAFF_DOMAIN,
    STAFF_IDP_ISSUER: providerUrl,
    STAFF_IDP_JWKS_URL: `${providerUrl}/jwks`,
    STAFF_IDP_AUTHORIZATION_URL: `${providerUrl}/authorize`,
  };
}

/** Whether the user configures staff sign-in. */
export function hasStaffSignIn(overrides: Environment): boolean {
  return Object.keys(withoutEmptyVariables(overrides)).some((name) =>
    /^STAFF_(IDP_|ALLOWED_DOMAIN)/.test(name),
  );
}

/** Derives the key from a secret, so that directories from before this key keep working. */
function pendingVoteKeyOf({ hashSecret }: Secrets): string {
  return Buffer.from(hkdfSync('sha256', hashSecret, '', 'pending totals of votes', 32)).toString('base64');
}

/**
 * Checks the user's environment and port before anything starts, so that an error comes at once and leaves nothing behind.
 * @throws ConfigError for a wrong variable, LocalError for an unusable port
 */
export async function checkEnvironment(secrets: Secrets, overrides: Environment): Promise<Config> {
  const placeholders = {
    databaseUrl: `postgresql://${LOGIN_ROLE}:password@127.0.0.1/opine`,
    storageUrl: 'http://127.0.0.1',
    pushFile: 'push.jsonl',
  };
  const config = readConfig(localEnvironment(secrets, placeholders, overrides));
  const free = await freePort(config.PORT, config.HOST).catch((error: Error) => {
    throw new LocalError(`PORT ${config.PORT} on HOST ${config.HOST} cannot be used: ${error.message}`);
  });
  if (free === null)
    throw new LocalError(`PORT ${config.PORT} is taken: stop its process, or set another PORT`);
  return config;
}
