import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { declaredBuckets } from '../../scripts/local/storage/declared-buckets.ts';
import { type RunningStorage, startStorage } from '../../scripts/local/storage/main.ts';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import type { Environment } from '../../src/config.ts';
import { killHard, treeOf } from '../local/processes.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { SIGNING_KEY } from './keys.ts';
import { type Opine, startOpine, testEnvironment } from './opine.ts';
import { startServerProcess } from './server-process.ts';
import { storageAt } from './supabase-storage.ts';

const SECRET_KEY = 'sb_secret_of_the_storage_of_tests';

/** A storage service at one address that can go away and come back. */
export interface FlakyStorage {
  /** What a server needs to know to use it. */
  readonly environment: Environment;
  /** Stores an object of a user that is no asset yet, and returns its key. */
  keep(database: TestDatabase, userId: string): Promise<string>;
  /** Those of `keys` under which something is stored, in any bucket. */
  stored(keys: string[]): Promise<string[]>;
  /** From now on nobody answers at its address. */
  takeDown(): Promise<void>;
  /** From now on whoever connects to its address waits. */
  hang(): Promise<{ somebodyWaits(): boolean }>;
  bringBack(): Promise<void>;
  /** Stops it and removes what it has stored. */
  remove(): Promise<void>;
}

/** Starts a storage service on a directory and a port of its own. */
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

/** An Opine with the storage that it keeps its objects in. */
export interface StoringOpine extends Opine {
  readonly storage: FlakyStorage;
}

/** Starts an Opine on a storage of its own. Stopped by its `stop`, with its storage. */
export async function startStoringOpine(): Promise<StoringOpine> {
  const storage = await startFlakyStorage();
  const opine = await startOpine(storage.environment);
  return {
    ...opine,
    storage,
    stop: async () => {
      await opine.stop();
      await storage.remove();
    },
  };
}

/** An Opine whose server, worker and all, is a process that can be killed. */
export interface MortalOpine extends Opine {
  /** Ends the process at once, in the middle of whatever it does. */
  kill(): void;
  /** Another process on the same database. */
  revive(): Promise<void>;
}

/** Starts an Opine that keeps its objects in `storage`, its server in a process of its own. */
export async function startMortalOpine(storage: FlakyStorage): Promise<MortalOpine> {
  const database = await createTestDatabase();
  const start = async () => {
    const before = new Set(treeOf(process.pid));
    const server = await startServerProcess({ ...testEnvironment(database), ...storage.environment });
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

/** A connection from before storage went away may not know yet that it is cut. */
const fetchAgain: typeof fetch = (input, init) => fetch(input, init).catch(() => fetch(input, init));

async function startOn(directory: string, port: number): Promise<RunningStorage> {
  return startStorage({
    directory,
    port,
    secretKey: SECRET_KEY,
    signingSecret: 'what signs the URLs of tests',
    keys: (await importSigningKeys([SIGNING_KEY])).published,
    buckets: declaredBuckets(),
  });
}

interface Hanging {
  somebodyWaits(): boolean;
  stop(): Promise<void>;
}

/** Takes connections and never answers. */
async function startHanging(port: number): Promise<Hanging> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    somebodyWaits: () => sockets.size > 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
