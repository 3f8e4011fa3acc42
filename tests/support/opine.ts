import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { PENDING_VOTE_KEY, SIGNING_KEY } from './keys.ts';

/** Opine as a test sees it: its address, and its database as superuser. */
export interface Opine {
  readonly url: string;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

/** One in this process. */
export interface StartedOpine extends Opine {
  /** Where it is scraped, null where METRICS_PORT says nothing. */
  readonly metricsUrl: string | null;
}

/** The environment of a server in tests, on `database`. */
export function testEnvironment(database: TestDatabase): Environment {
  return {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlAs('opine_gateway'),
    JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY]),
    HASH_SECRET: 'a secret of tests, long enough to be one',
    SUPABASE_URL: 'http://127.0.0.1:54321',
    SUPABASE_SECRET_KEY: 'a secret key of tests',
    SMS_PROVIDER: 'console',
    SMS_TEST_NUMBERS: '+1202555*=4242',
    PENDING_VOTE_KEY,
    VOTE_ACTIVITY_DELAY_SECONDS: '0-0',
    APP_URL: 'https://opine.example',
    APP_LOGO_URL: 'https://opine.example/logo.png',
    TERMS_URL: 'https://opine.example/terms',
    PRIVACY_URL: 'https://opine.example/privacy',
    CHECK_ANSWERS: 'true',
  };
}

/** What a test changes of the environment, by the database where it needs to know. */
export type Changes = Environment | ((database: TestDatabase) => Environment);

/** Starts Opine on a database and a port of its own, with `changes` of the environment. Stopped by its `stop`. */
export async function startOpine(changes: Changes = {}): Promise<StartedOpine> {
  const database = await createTestDatabase();
  const changed = typeof changes === 'function' ? changes(database) : changes;
  const server = await startServer({ ...testEnvironment(database), ...changed });
  return {
    url: server.url,
    database,
    metricsUrl: server.metricsUrl,
    stop: async () => {
      await server.stop();
      await database.drop();
    },
  };
}

/** As `startOpine`, stopped when the test that asked for it ends. */
export async function anOpine(changes: Changes = {}): Promise<StartedOpine> {
  const opine = await startOpine(changes);
  onTestFinished(() => opine.stop());
  return opine;
}
