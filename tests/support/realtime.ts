import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { onTestFinished } from 'vitest';
import type { RealtimeOptions } from '../../clients/typescript/src/index.ts';
import { type RunningRealtime, startRealtime } from '../../scripts/local/realtime.ts';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import { SIGNING_KEY } from './keys.ts';
import { listen } from './loopback.ts';
import type { WithDatabase } from './opine.ts';

/** A local Realtime that stops with the test. */
export interface TestRealtime {
  /** Options for a client. */
  readonly options: RealtimeOptions;
  connections(): Promise<number>;
  /** Disconnects all clients and serves again at the same address. */
  restart(): Promise<void>;
}

export async function startTestRealtime({ database }: WithDatabase): Promise<TestRealtime> {
  const server = createServer();
  const port = await listen(server);
  const publishableKey = 'sb_publishable_of_tests';
  const { published: keys } = await importSigningKeys([SIGNING_KEY]);
  const start = () => startRealtime({ server, databaseUrl: database.superuserUrl, publishableKey, keys });
  let realtime: RunningRealtime = await start();
  onTestFinished(async () => {
    await realtime.stop();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    options: { url: `http://127.0.0.1:${port}`, publishableKey, createClient },
    connections: promisify(server.getConnections.bind(server)),
    restart: async () => {
      await realtime.stop();
      realtime = await start();
    },
  };
}
