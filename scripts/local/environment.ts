import { Buffer } from 'node:buffer';
import { hkdfSync } from 'node:crypto';
import type { Environment } from '../../src/config.ts';
import { DEMO_CODE } from './demo.ts';
import type { Secrets } from './state.ts';

const LOOPBACK_ORIGINS = ['localhost', '127.0.0.1', '[::1]']
  .flatMap((host) => [`http://${host}:*`, `https://${host}:*`])
  .join(',');

/**
 * The service's environment on this machine: defaults that make everything run, under what the user has set.
 * @param secrets the local directory's secrets
 * @param parts where the parts of the stack are, and where push messages are written
 * @param overrides the user's environment; an empty variable counts as not set
 */
export function localEnvironment(
  secrets: Secrets,
  parts: { databaseUrl: string; storageUrl: string; pushFile: string },
  overrides: Environment,
): Environment {
  return {
    DATABASE_URL: parts.databaseUrl,
    JWT_SIGNING_KEYS: JSON.stringify([secrets.signingKey]),
    HASH_SECRET: secrets.hashSecret,
    PENDING_VOTE_KEY: pendingVoteKeyOf(secrets),
    SMS_PROVIDER: 'console',
    SMS_TEST_NUMBERS: `+1202555*=${DEMO_CODE}`,
    PORT: '8787',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    SUPABASE_URL: parts.storageUrl,
    SUPABASE_SECRET_KEY: secrets.storageKey,
    IDP_ISSUER: 'https://securetoken.google.com/opine-local',
    IDP_AUDIENCE: 'opine-local',
    PUSH_FILE: parts.pushFile,
    CORS_ORIGINS: LOOPBACK_ORIGINS,
    CHECK_ANSWERS: 'true',
    ...Object.fromEntries(Object.entries(overrides).filter(([, value]) => value)),
  };
}

/** Follows from what the directory has kept from the beginning, so that one from before can go on. */
function pendingVoteKeyOf({ hashSecret }: Secrets): string {
  return Buffer.from(hkdfSync('sha256', hashSecret, '', 'pending totals of votes', 32)).toString('base64');
}
