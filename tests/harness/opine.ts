import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { SIGNING_KEY } from './keys.ts';

/** Opine as a test sees it: its address, and its database as superuser. */
export interface Opine {
  readonly url: string;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

/** The environment of a server in tests, on `database`. */
export function testEnvironment(database: TestDatabase): Environment {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlAs('opine_gateway'),
    JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY]),
    HASH_SECRET: 'a secret of tests, long enough to be one',
    SUPABASE_URL: 'http://127.0.0.1:54321',
    SMS_PROVIDER: 'console',
    SMS_TEST_NUMBERS: '+1202555*=4242',
    CHECK_ANSWERS: 'true',
  };
}

/** Starts Opine on a database and a port of its own; `env` overrides the environment. Stopped by its `stop`. */
export async function startOpine(env: Environment = {}): Promise<Opine> {
  const database = await createTestDatabase();
  const server = await startServer({ ...testEnvironment(database), ...env });
  return {
    url: server.url,
    database,
    stop: async () => {
      await server.stop();
      await database.drop();
    },
  };
}

/** As `startOpine`, stopped when the test that asked for it ends. */
export async function anOpine(env: Environment = {}): Promise<Opine> {
  const opine = await startOpine(env);
  onTestFinished(() => opine.stop());
  return opine;
}
