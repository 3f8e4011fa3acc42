import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { type RunningRealtime, startRealtime } from '../../scripts/local/realtime.ts';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import { SIGNING_KEY } from './keys.ts';
import type { Opine } from './opine.ts';

/** A local Realtime of a test, which ends with the test. */
export interface TestRealtime {
  /** Where it is and what its clients show, as clients take it. */
  readonly options: { readonly url: string; readonly publishableKey: string };
  /** How many clients are connected. */
  connections(): Promise<number>;
  /** Disconnects everybody, and serves again at the same address. */
  restart(): Promise<void>;
}

/** Starts a local Realtime on the database of `opine`. */
export async function startTestRealtime({ database }: Pick<Opine, 'database'>): Promise<TestRealtime> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publishableKey = 'sb_publishable_of_tests';
  const { published: keys } = await importSigningKeys([SIGNING_KEY]);
  const start = () => startRealtime({ server, databaseUrl: database.superuserUrl, publishableKey, keys });
  let realtime: RunningRealtime = await start();
  onTestFinished(async () => {
    await realtime.stop();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    options: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, publishableKey },
    connections: promisify(server.getConnections.bind(server)),
    restart: async () => {
      await realtime.stop();
      realtime = await start();
    },
  };
}
