import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config.ts';
import type { Write } from '../../src/log.ts';
import { startServer } from '../../src/server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { PENDING_VOTE_KEY, SIGNING_KEY } from './keys.ts';

/** The secret of every server of tests. */
export const HASH_SECRET = 'a secret of tests, long enough to be one';

/** A server and its database. */
export interface Opine {
  readonly url: string;
  readonly database: TestDatabase;
  stop(): Promise<void>;
}

export type WithDatabase = Pick<Opine, 'database'>;

export interface StartedOpine extends Opine {
  /** Null without METRICS_PORT. */
  readonly metricsUrl: string | null;
}

/** Changes of an Opine whose worker runs by itself: tests of signals and streams. Others run the tasks that they need. */
export const WITH_WORKER: Environment = { PROCESS: 'all' };

/** The environment of a server without a worker. */
export function testEnvironment(database: Pick<TestDatabase, 'urlAs'>): Environment {
  return {
    NODE_ENV: 'test',
    PROCESS: 'api',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.urlAs('opine_gateway'),
    JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY]),
    HASH_SECRET,
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

export type Changes = Environment | ((database: TestDatabase) => Environment);

/** Starts a server in this process on a database of its own; `stop` stops both. @param write writes the log */
export async function startOpine(changes: Changes = {}, write?: Write): Promise<StartedOpine> {
  const database = await createTestDatabase();
  const changed = typeof changes === 'function' ? changes(database) : changes;
  const server = await startServer({ ...testEnvironment(database), ...changed }, write);
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

/** Starts an Opine that stops with the test. @param write writes the log */
export async function anOpine(changes: Changes = {}, write?: Write): Promise<StartedOpine> {
  const opine = await startOpine(changes, write);
  onTestFinished(() => opine.stop());
  return opine;
}

/**
 * Moves the database clock ahead. It never goes back, so tests of a file may share an Opine.
 * @param interval a Postgres interval
 */
export async function advanceTime(opine: WithDatabase, interval: string): Promise<void> {
  await sql`select app.set_clock_offset(app.now() - now() + ${interval}::interval)`.execute(
    opine.database.superuser,
  );
}

export async function currentTime(opine: Opine): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select app.now()`.execute(opine.database.superuser);
  return rows[0]?.now ?? new Date(Number.NaN);
}
