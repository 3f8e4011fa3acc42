import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { sql } from 'kysely';
import { declaredBuckets } from '../../scripts/local/storage/buckets.ts';
import { type RunningStorage, startStorage } from '../../scripts/local/storage/server.ts';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Environment } from '../../src/config.ts';
import { killHard, treeOf } from '../local/running.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { SIGNING_KEY } from './keys.ts';
import { listen } from './loopback.ts';
import { type Opine, startOpine, testEnvironment, WITH_WORKER } from './opine.ts';
import { startServerProcess } from './server-process.ts';

export type Storage = SupabaseClient['storage'];

/**
 * Creates a storage client, by default with a publishable key.
 * @param send replaces `fetch`
 */
export function storageAt(url: string, key = 'sb_publishable_of_tests', send: typeof fetch = fetch): Storage {
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient(url, key, { auth, global: { fetch: send } }).storage;
}

const SECRET_KEY = 'sb_secret_of_the_storage_of_tests';

/** A storage service that can go down and come back at the same address. */
export interface FlakyStorage {
  /** Environment of a server that uses it. */
  readonly environment: Environment;
  /** Stores an object without an asset. Returns its key. */
  keep(database: TestDatabase, userId: string): Promise<string>;
  /** Returns those of `keys` that exist in any bucket. */
  stored(keys: string[]): Promise<string[]>;
  /** Refuses connections from now on. */
  takeDown(): Promise<void>;
  /** Accepts connections without answering from now on. */
  hang(): Promise<{ somebodyWaits(): boolean }>;
  bringBack(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** Starts a storage service on its own directory and port. */
export async function startFlakyStorage(): Promise<FlakyStorage> {
  const directory = await mkdtemp(join(tmpdir(), 'opine-flaky-storage-'));
  let running: RunningStorage | undefined = await startOn(directory, 0);
  const { url } = running;
  const port = Number(new URL(url).port);
  const client = storageAt(url, SECRET_KEY, fetchAgain);
  const isStored = async (key: string) => {
    const found = await Promise.all(declaredBuckets().map(({ name }) => client.from(name).exists(key)));
    return found.some(({ data }) => data);
  };
  let hanging: Hanging | undefined;

  const takeDown = async () => {
    await Promise.all([running?.stop(), hanging?.stop()]);
    running = undefined;
    hanging = undefined;
  };
  return {
    environment: { SUPABASE_URL: url, SUPABASE_SECRET_KEY: SECRET_KEY },
    keep: async (database, userId) => {
      const key = randomUUID();
      const { error } = await client.from('media').upload(key, 'a photo', { contentType: 'image/png' });
      if (error) throw error;
      await sql`
        insert into app.stored_objects (id, bucket, owner_id) values (${key}, 'media', ${userId})
      `.execute(database.superuser);
      return key;
    },
    stored: async (keys) => {
      const found = await Promise.all(keys.map(isStored));
      return keys.filter((_, index) => found[index]);
    },
    takeDown,
    hang: async () => {
      await takeDown();
      const started = await startHanging(port);
      hanging = started;
      return started;
    },
    bringBack: async () => {
      await takeDown();
      running = await startOn(directory, port);
    },
    remove: async () => {
      await takeDown();
      await rm(directory, { recursive: true });
    },
  };
}

export interface OpineWithStorage extends Opine {
  readonly storage: FlakyStorage;
}

/** Starts an Opine with its own storage; `stop` stops both. */
export function startOpineWithStorage(env: Environment = {}): Promise<OpineWithStorage> {
  return withStorage((environment) => startOpine({ ...environment, ...env }));
}

/** Starts a storage, and an Opine with the environment for it. */
export async function withStorage(start: (env: Environment) => Promise<Opine>): Promise<OpineWithStorage> {
  const storage = await startFlakyStorage();
  const opine = await start(storage.environment);
  return {
    ...opine,
    storage,
    stop: async () => {
      await opine.stop();
      await storage.remove();
    },
  };
}

/** An Opine in a process that can be killed. */
export interface KillableOpine extends Opine {
  kill(): void;
  /** Starts another process on the same database. */
  revive(): Promise<void>;
}

/** Starts an Opine in its own process, with objects in `storage`. */
export async function startKillableOpine(storage: FlakyStorage): Promise<KillableOpine> {
  const database = await createTestDatabase();
  const start = async () => {
    const before = new Set(treeOf(process.pid));
    const server = await startServerProcess({
      ...testEnvironment(database),
      ...WITH_WORKER,
      ...storage.environment,
    });
    const pid = treeOf(process.pid).find((id) => !before.has(id));
    if (pid === undefined) throw new Error('The server has no process.');
    return { ...server, pid };
  };
  let server = await start();
  return {
    url: server.url,
    database,
    kill: () => killHard(server.pid),
    revive: async () => {
      server = await start();
    },
    stop: async () => {
      await server.end();
      await database.drop();
    },
  };
}

/** Retries once: a pooled connection may be cut. */
const fetchAgain: typeof fetch = (input, init) => fetch(input, init).catch(() => fetch(input, init));

async function startOn(directory: string, port: number): Promise<RunningStorage> {
  return startStorage({
    directory,
    port,
    secretKey: SECRET_KEY,
    keys: (await importSigningKeys([SIGNING_KEY])).published,
    buckets: declaredBuckets(),
  });
}

interface Hanging {
  somebodyWaits(): boolean;
  stop(): Promise<void>;
}

/** Accepts connections and never answers. */
async function startHanging(port: number): Promise<Hanging> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await listen(server, port);
  return {
    somebodyWaits: () => sockets.size > 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
