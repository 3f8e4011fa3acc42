import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import type { SupabaseCli } from '../../scripts/local/dev-cli.ts';
import { DEVELOPMENT_KEY } from '../../scripts/local/dev-stack.ts';
import type { SupabaseImage } from './supabase-image.ts';

/** Of the gateway of a Supabase stack, the one thing that is asked before the service starts: the keys that Auth publishes. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: () => published,
    publish: (keys) => {
      published = keys;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A Supabase CLI without Docker: its stack is an image's database and a gateway. */
export interface FakeCli extends SupabaseCli {
  start(): Promise<number>;
  /** What it answered, in turn. */
  said(): readonly string[];
}

export function fakeCli(image: SupabaseImage, gateway: FakeGateway): FakeCli {
  const said: string[] = [];
  let isRunning = false;
  return {
    status: async () => {
      said.push(isRunning ? 'running' : 'not running');
      return isRunning ? statusOf(image, gateway) : null;
    },
    start: async () => {
      said.push('started');
      isRunning = true;
      const { d, ...published } = DEVELOPMENT_KEY;
      gateway.publish([published]);
      return 0;
    },
    said: () => said,
  };
}

/** As `supabase status -o env` prints it: among others, what the service needs. */
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
