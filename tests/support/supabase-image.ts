import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import type { JWK } from 'jose';
import { startThrowawayCluster, WITHOUT_LIMITS } from '../../scripts/db/throwaway.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { setPassword } from '../../scripts/local/database.ts';
import { DEVELOPMENT_KEY, type SupabaseCli } from '../../scripts/local/dev-stack.ts';
import { close, listen } from './loopback.ts';

/** A Postgres set up like Supabase's image, with an existing project. */
export interface SupabaseImage {
  /** Connection URL of supabase_admin, the superuser. */
  readonly superuserUrl: string;
  /** Connection URL of `postgres`, the owner of the project. */
  readonly ownerUrl: string;
  /** Creates the tables of a service, as its first start does. */
  startService(service: SupabaseService): Promise<void>;
  stop(): Promise<void>;
}

export type SupabaseService = 'storage' | 'realtime';

/**
 * Starts one on its own cluster, since its roles are cluster-wide.
 * @param services that have started before
 */
export async function startSupabaseImage(
  services: readonly SupabaseService[] = ['storage', 'realtime'],
): Promise<SupabaseImage> {
  const { cluster, password, remove } = await startThrowawayCluster(WITHOUT_LIMITS);
  const superuserUrl = cluster.url();
  try {
    const startService = async (service: SupabaseService) => {
      await withClient(superuserUrl, (client) => client.query(read(`supabase-${service}.sql`)));
    };
    await withClient(superuserUrl, (client) => client.query(read('supabase-image.sql')));
    for (const service of services) await startService(service);
    await setPassword(superuserUrl, ['postgres'], password);
    const ownerUrl = cluster.urlAs('postgres', password, 'postgres');
    await withClient(ownerUrl, (client) => client.query(read('other-project.sql')));
    return { superuserUrl, ownerUrl, startService, stop: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns one line per object and privilege that is not from our migrations. */
export async function catalogOf(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) => client.query<{ line: string }>(read('catalog.sql')));
  return rows.map(({ line }) => line);
}

function read(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

/** A fake gateway that serves the published keys of Auth. */
export interface FakeGateway {
  readonly url: string;
  keys(): readonly JWK[];
  publish(keys: readonly JWK[]): void;
  close(): Promise<void>;
}

export async function fakeGateway(): Promise<FakeGateway> {
  let published: readonly JWK[] = [];
  const server = createServer(({ url }, answer) => {
    answer.statusCode = url === '/auth/v1/.well-known/jwks.json' ? 200 : 404;
    answer.end(JSON.stringify({ keys: published }));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    keys: () => published,
    publish: (keys) => {
      published = keys;
    },
    close: () => close(server),
  };
}

/** A fake Supabase CLI without Docker. */
interface FakeCli extends SupabaseCli {
  start(): Promise<number>;
  /** Its answers, in order. */
  answers(): readonly string[];
}

export function fakeCli(image: SupabaseImage, gateway: FakeGateway): FakeCli {
  const answers: string[] = [];
  let isRunning = false;
  return {
    status: async () => {
      answers.push(isRunning ? 'running' : 'not running');
      return isRunning ? statusOf(image, gateway) : null;
    },
    start: async () => {
      answers.push('started');
      isRunning = true;
      const { d, ...published } = DEVELOPMENT_KEY;
      gateway.publish([published]);
      return 0;
    },
    answers: () => answers,
  };
}

/** Mimics `supabase status -o env`. */
function statusOf({ ownerUrl }: SupabaseImage, { url }: FakeGateway): string {
  const values = {
    ANON_KEY: 'header.payload.signature',
    API_URL: url,
    DB_URL: ownerUrl,
    JWT_SECRET: 'super-secret-jwt-token-with-at-least-32-characters-long',
    PUBLISHABLE_KEY: 'sb_publishable_of_tests',
    SECRET_KEY: 'sb_secret_of_tests',
    STUDIO_URL: 'http://127.0.0.1:54323',
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"\n`);
  return lines.join('');
}
