import path from 'node:path';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Config, Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { ensureDatabase, LOGIN_ROLE, LOGIN_ROLES, migrate, seed, setPassword } from './database.ts';
import { checkEnvironment, hasStaffSignIn, localEnvironment } from './environment.ts';
import { LocalError } from './errors.ts';
import { type Cluster, startCluster } from './postgres.ts';
import { createLogWriter } from './readable-log.ts';
import { startRealtime } from './realtime.ts';
import { admitLocalStaff, startStaffProvider } from './staff-provider.ts';
import {
  openDirectory,
  publishStack,
  recallPorts,
  rememberPorts,
  type Secrets,
  type StackDescription,
} from './state.ts';
import { declaredBuckets } from './storage/buckets.ts';
import { type RunningStorage, type StorageOptions, startStorage } from './storage/server.ts';

const DATABASE = 'opine';

/** The API key of clients of the local Supabase; it grants nothing by itself. */
const PUBLISHABLE_KEY = 'sb_publishable_local';

/** The running service with its dependencies on this machine. */
export type Stack = {
  description: StackDescription;
  config: Config;
  /** Whether the database has the people of `supabase/seed.sql`. */
  hasDemoPeople: boolean;
  /** How the user starts afresh, for the overview. */
  reset: string;
  /** Resolves with a line for the user when a part ends unexpectedly. */
  failed: Promise<string>;
  /** Stops the parts in reverse order of their start. */
  stop(): Promise<void>;
};

/**
 * Starts the service and its dependencies. If a part fails, the started parts stop again.
 * @param overrides the user's environment
 * @param signal when it aborts, the start gives up after the current step
 * @throws LocalError or ConfigError for errors that the user can fix
 */
export async function startStack(overrides: Environment, signal: AbortSignal): Promise<Stack> {
  await using parts = new AsyncDisposableStack();
  const directory = path.resolve(overrides.LOCAL_DIR || '.local');
  const secrets = await openDirectory(directory, overrides, 'npm start', parts);
  const config = await checkEnvironment(secrets, overrides);
  const writeLog = createLogWriter(overrides.LOG_FORMAT, (text) => process.stdout.write(text));
  const ports = recallPorts(directory);

  signal.throwIfAborted();
  const cluster = overrides.DATABASE_URL
    ? null
    : await startCluster({
        directory: path.join(directory, 'postgres'),
        superuserPassword: secrets.superuserPassword,
        ...(ports.postgres !== undefined && { port: ports.postgres }),
      });
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
  const staffProviderUrl = cluster && !hasStaffSignIn(overrides) ? await startStaff(cluster, parts) : null;
  const databaseUrl = cluster?.urlAs(LOGIN_ROLE, secrets.servicePassword, DATABASE) ?? config.DATABASE_URL;
  const pushFile = path.join(directory, 'push.jsonl');
  const places = { databaseUrl, storageUrl: storage.url, staffProviderUrl, pushFile };
  const server = await startServer(localEnvironment(secrets, places, overrides), writeLog);
  parts.defer(() => server.stop());

  const description = {
    apiUrl: server.url,
    docsUrl: server.docsUrl,
    storageUrl: storage.url,
    publishableKey: PUBLISHABLE_KEY,
    staffProviderUrl,
    databaseUrl: cluster?.url(DATABASE) ?? config.DATABASE_URL,
    pid: process.pid,
  };
  const storagePort = Number(new URL(storage.url).port);
  rememberPorts(directory, { ...ports, ...(cluster && { postgres: cluster.port }), storage: storagePort });
  publishStack(directory, description, parts);
  const running = parts.move();
  return {
    description,
    config,
    hasDemoPeople: cluster !== null,
    reset: `stop it, then rm -r ${path.relative('', directory) || directory}`,
    failed: failureOf(cluster, directory),
    stop: () => running.disposeAsync(),
  };
}

/**
 * Lists the local staff in the embedded database and starts its identity provider. Another database may have real people, whom
 * nobody may see by one click.
 * @returns the provider's address
 */
async function startStaff(cluster: Cluster, parts: AsyncDisposableStack): Promise<string> {
  await admitLocalStaff(cluster.url(DATABASE));
  const provider = await startStaffProvider();
  parts.defer(() => provider.stop());
  return provider.url;
}

/** Starts storage on its earlier port, or on any if that is taken. */
async function startStorageOn(port: number | undefined, options: StorageOptions): Promise<RunningStorage> {
  try {
    return await startStorage({ ...options, port: port ?? 0 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    return startStorage(options);
  }
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
