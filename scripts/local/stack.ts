import path from 'node:path';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Config, Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { checkEnvironment } from './check-environment.ts';
import { ensureDatabase, LOGIN_ROLE, LOGIN_ROLES, migrate, seed, setPassword } from './database.ts';
import { localEnvironment } from './environment.ts';
import { LocalError } from './errors.ts';
import { claimDirectory } from './instance.ts';
import { type Cluster, startCluster } from './postgres.ts';
import { startRealtime } from './realtime.ts';
import {
  loadSecrets,
  openDirectory,
  publishStack,
  recallPorts,
  rememberPorts,
  type Secrets,
  type StackDescription,
  withdrawStack,
} from './state.ts';
import { declaredBuckets } from './storage/declared-buckets.ts';
import { type RunningStorage, type StorageOptions, startStorage } from './storage/main.ts';

const DATABASE = 'opine';

/** What clients of the local Supabase show: it opens nothing by itself. */
const PUBLISHABLE_KEY = 'sb_publishable_local';

/** The service with everything it needs, running on this machine. */
export type Stack = {
  description: StackDescription;
  config: Config;
  /** Whether the people of `supabase/seed.sql` are there to sign in. */
  hasDemoPeople: boolean;
  /** Resolves, with a line for the user, when a part ends that nobody stopped. */
  failed: Promise<string>;
  /** Ends every part, the last started first. */
  stop(): Promise<void>;
};

/**
 * Starts everything. Where a part fails, those started before it are stopped again.
 * @param overrides the user's environment
 * @param signal when aborted, the start gives up after the step under way
 * @throws LocalError or ConfigError for what the user can mend
 */
export async function startStack(overrides: Environment, signal: AbortSignal): Promise<Stack> {
  if (overrides.NODE_ENV === 'production') {
    throw new LocalError('npm start is for development only: it does not run with NODE_ENV=production');
  }
  await using parts = new AsyncDisposableStack();
  const directory = path.resolve(overrides.LOCAL_DIR || '.local');
  openDirectory(directory);
  parts.use(claimDirectory(directory));
  withdrawStack(directory);
  const secrets = await loadSecrets(directory);
  const config = await checkEnvironment(secrets, overrides);
  const ports = recallPorts(directory);

  signal.throwIfAborted();
  const cluster = overrides.DATABASE_URL ? null : await startPostgres(directory, secrets, ports.postgres);
  if (cluster) {
    parts.defer(() => cluster.stop());
    signal.throwIfAborted();
    await prepareDatabase(cluster, secrets, directory);
  }
  signal.throwIfAborted();
  const { published: keys } = await importSigningKeys(config.JWT_SIGNING_KEYS);
  const storage = await startStorageOn(ports.storage, {
    directory: path.join(directory, 'storage'),
    secretKey: secrets.storageKey,
    signingSecret: secrets.hashSecret,
    keys,
    buckets: declaredBuckets(),
  });
  parts.defer(() => storage.stop());
  if (cluster) {
    const realtime = await startRealtime({
      server: storage.server,
      databaseUrl: cluster.url(DATABASE),
      publishableKey: PUBLISHABLE_KEY,
      keys,
    });
    parts.defer(() => realtime.stop());
  }
  const databaseUrl = cluster?.urlAs(LOGIN_ROLE, secrets.servicePassword, DATABASE) ?? config.DATABASE_URL;
  const places = { databaseUrl, storageUrl: storage.url, pushFile: path.join(directory, 'push.jsonl') };
  const server = await startServer(localEnvironment(secrets, places, overrides));
  parts.defer(() => server.stop());

  const description = {
    apiUrl: server.url,
    docsUrl: server.docsUrl,
    storageUrl: storage.url,
    publishableKey: PUBLISHABLE_KEY,
    databaseUrl: cluster?.url(DATABASE) ?? config.DATABASE_URL,
    pid: process.pid,
  };
  const storagePort = Number(new URL(storage.url).port);
  rememberPorts(directory, { ...ports, ...(cluster && { postgres: cluster.port }), storage: storagePort });
  publishStack(directory, description);
  parts.defer(() => withdrawStack(directory));
  const running = parts.move();
  return {
    description,
    config,
    hasDemoPeople: cluster !== null,
    failed: failureOf(cluster, directory),
    stop: () => running.disposeAsync(),
  };
}

/** On the port of before, where that is still to be had when it listens: else on any. */
async function startStorageOn(port: number | undefined, options: StorageOptions): Promise<RunningStorage> {
  try {
    return await startStorage({ ...options, port: port ?? 0 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return startStorage(options);
  }
}

function startPostgres(directory: string, secrets: Secrets, port: number | undefined): Promise<Cluster> {
  return startCluster({
    directory: path.join(directory, 'postgres'),
    superuserPassword: secrets.superuserPassword,
    ...(port !== undefined && { port }),
  });
}

async function prepareDatabase(cluster: Cluster, secrets: Secrets, directory: string): Promise<void> {
  try {
    const database = { name: DATABASE, ownerPassword: secrets.ownerPassword };
    const { ownerUrl } = await ensureDatabase(cluster, database);
    await migrate(ownerUrl);
    await seed(cluster.url(DATABASE));
    await setPassword(cluster.url(DATABASE), LOGIN_ROLES, secrets.servicePassword);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new LocalError(
      `the database could not be prepared (deleting ${directory} starts afresh): ${reason}`,
    );
  }
}

async function failureOf(cluster: Cluster | null, directory: string): Promise<string> {
  if (!cluster) return new Promise(() => {});
  const code = await cluster.exited;
  const ending = code === null ? 'by a signal' : `with code ${code}`;
  return `Postgres ended by itself, ${ending}; its log is ${path.join(directory, 'postgres', 'postgres.log')}`;
}
