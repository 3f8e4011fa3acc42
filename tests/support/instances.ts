import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { localEnvironment } from '../../scripts/local/environment.ts';
import { freePort } from '../../scripts/local/ports.ts';
import { startStack } from '../../scripts/local/stack.ts';
import type { Secrets } from '../../scripts/local/state.ts';
import type { Environment } from '../../src/config.ts';
import type { DB } from '../../src/db/types.ts';
import type { Opine } from './opine.ts';

/** A stack started as `npm start` does: Postgres, storage, API and worker. */
export interface Instance extends Opine {
  /** Holds all state. */
  readonly directory: string;
  /** Connection URL of the database owner. */
  readonly ownerUrl: string;
}

/** Starts a stack on the state in `directory`; the caller stops it. */
export async function startInstance(directory: string, changes: Environment = {}): Promise<Instance> {
  const environment = {
    LOCAL_DIR: directory,
    PORT: String(await freePort()),
    LOG_LEVEL: 'silent',
    ...changes,
  };
  const stack = await startStack(environment, new AbortController().signal);
  const { apiUrl, databaseUrl: superuserUrl } = stack.description;
  const secrets = secretsIn(directory);
  const urlAs = (role: string) => {
    const url = new URL(superuserUrl);
    url.username = role;
    url.password = role === 'postgres' ? secrets.ownerPassword : secrets.servicePassword;
    return url.href;
  };
  const pool = new pg.Pool({ connectionString: superuserUrl, max: 2 });
  pool.on('error', () => {});
  const superuser = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const stop = async () => {
    await superuser.destroy();
    await stack.stop();
  };
  return {
    directory,
    url: apiUrl,
    ownerUrl: urlAs('postgres'),
    database: { name: new URL(superuserUrl).pathname.slice(1), superuser, superuserUrl, urlAs, drop: stop },
    stop,
  };
}

/** Returns the key that seals pending votes in `instance`. */
export function keyOf({ directory }: Pick<Instance, 'directory'>): string {
  const parts = { databaseUrl: '', storageUrl: '', pushFile: '' };
  return localEnvironment(secretsIn(directory), parts, {}).PENDING_VOTE_KEY ?? '';
}

function secretsIn(directory: string): Secrets {
  return JSON.parse(readFileSync(path.join(directory, 'secrets.json'), 'utf8'));
}
