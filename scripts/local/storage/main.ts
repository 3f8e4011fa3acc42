import { mkdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import type { JWK } from 'jose';
import { createStorageApp } from './app.ts';
import { type BucketDeclaration, openBuckets } from './buckets.ts';
import { Objects } from './objects.ts';
import type { StorageParts } from './parts.ts';
import { Tokens } from './tokens.ts';

export type { BucketDeclaration };

/** What a storage service needs to know. */
export interface StorageOptions {
  /** Where everything is kept, created where missing; one service at a time. */
  readonly directory: string;
  /** A free one where not given. */
  readonly port?: number;
  /** Loopback where not given. */
  readonly host?: string;
  /** Whoever shows it, as bearer or `apikey`, is the service and may do everything. */
  readonly secretKey: string;
  /** Signs the tokens of signed URLs. */
  readonly signingSecret: string;
  /** Public keys whose tokens are as good: those that the service signs with. */
  readonly keys: readonly JWK[];
  /** The buckets there shall be; others may be created later. */
  readonly buckets: readonly BucketDeclaration[];
}

/** A storage service that runs. */
export interface RunningStorage {
  /** The base that `@supabase/supabase-js` takes; the service answers below its `/storage/v1`. */
  readonly url: string;
  /** Answers there: another service of the project may answer on it beside storage. */
  readonly server: Server;
  /** Cuts what is under way, and resolves when all is closed. */
  stop(): Promise<void>;
}

/**
 * Starts a stand-in for Supabase Storage, for the calls of `@supabase/supabase-js` that the project makes.
 * Raises in production, on a declaration that is not valid, and where directory or port are not to be had.
 */
export async function startStorage(options: StorageOptions): Promise<RunningStorage> {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The local storage service does not run in production.');
  }
  const app = createStorageApp(await openParts(options));
  const running = new Set<Promise<Response>>();
  const answer = (request: Request, env: unknown) => {
    const response = Promise.resolve(app.fetch(request, env as HttpBindings));
    running.add(response);
    return response.finally(() => running.delete(response));
  };
  const host = options.host ?? '127.0.0.1';
  const server = createServer(getRequestListener(answer));
  const port = await listen(server, options.port ?? 0, host);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    server,
    async stop() {
      await close(server);
      await Promise.allSettled(running);
    },
  };
}

async function openParts(options: StorageOptions): Promise<StorageParts> {
  const staging = join(options.directory, 'staging');
  // What lies here belongs to uploads that the last process did not finish.
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  return {
    secretKey: options.secretKey,
    buckets: await openBuckets(join(options.directory, 'buckets'), staging, options.buckets),
    objects: new Objects(join(options.directory, 'objects'), staging),
    tokens: new Tokens(options.signingSecret, options.keys),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
