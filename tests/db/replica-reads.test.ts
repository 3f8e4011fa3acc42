import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { clientOf, refusal } from '../support/client.ts';
import { scrape, WITH_METRICS } from '../support/metrics.ts';
import { testEnvironment } from '../support/opine.ts';
import { confirmedPerson } from '../support/people.ts';
import {
  feedSource,
  setReplicaLag,
  sourcesRead,
  startTwoDatabases,
  type TwoDatabases,
  withBearer,
} from '../support/replicas.ts';
import { anotherServer, logOut } from '../support/sign-in.ts';

let world: TwoDatabases;

beforeAll(async () => {
  world = await startTwoDatabases();
});

afterAll(() => world?.end());

/** Starts a server with a replica. */
function aServer(changes: Environment = {}): Promise<string> {
  const url = world.replica.urlAs('opine_gateway');
  return anotherServer(world.primary, { PROCESS: 'api', DATABASE_REPLICA_URL: url, ...changes });
}

/** Starts a database that accepts connections and never responds; `taken` holds its connections. */
async function aSilentDatabase(): Promise<{ url: string; taken: readonly Socket[] }> {
  const taken: Socket[] = [];
  const server = createServer((socket) => void taken.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  onTestFinished(() => {
    for (const socket of taken) socket.destroy();
    server.close();
  });
  const port = typeof address === 'object' ? address?.port : 0;
  return { url: `postgresql://opine_gateway:x@127.0.0.1:${port}/silent`, taken };
}

describe('reads from a replica', () => {
  test('the replica answers feeds, profiles and search of guests', async () => {
    expect(await sourcesRead(clientOf(await aServer()))).toEqual(['replica', 'replica', 'replica']);
    expect(await sourcesRead(clientOf(world.primary.url))).toEqual(['primary', 'primary', 'primary']);
  });

  test('the replica answers only the reads of DATABASE_REPLICA_READS', async () => {
    const feeds = clientOf(await aServer({ DATABASE_REPLICA_READS: 'feeds' }));
    expect(await sourcesRead(feeds)).toEqual(['replica', 'primary', 'primary']);
    const others = clientOf(await aServer({ DATABASE_REPLICA_READS: 'profiles, search' }));
    expect(await sourcesRead(others)).toEqual(['primary', 'replica', 'replica']);
  });

  test('the primary answers every request with a bearer, also of an ended session', async () => {
    const url = await aServer();
    const { primary, maya } = world;
    const member = withBearer(url, maya);
    // Maya has a post of her own: the home feed that is hers.
    expect(await sourcesRead(member)).toEqual(['primary', 'primary', 'primary']);
    await logOut(primary, maya.session);
    expect(await sourcesRead(member)).toEqual(['primary', 'primary', 'primary']);
    expect(await member.get(`/users/${maya.id}/profile`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('the primary answers what the replica does not find', async () => {
    const guest = clientOf(await aServer());
    expect((await guest.get('/users/by-username/noor_of_primary')).data.name).toBe('Noor');
    expect(await guest.get('/users/by-username/nobody')).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    // A 404 does not open the circuit.
    expect(await feedSource(guest)).toBe('replica');
  });
});

describe('fallback to the primary', () => {
  test('the primary answers while the replica lags by more than 5 seconds, and for a while afterwards', async () => {
    const [url, other] = [await aServer(), await aServer()];
    await setReplicaLag(world.replica, '3 seconds');
    expect(await feedSource(clientOf(url))).toBe('replica');
    await setReplicaLag(world.replica, '6 seconds');
    expect(await sourcesRead(clientOf(url))).toEqual(['primary', 'primary', 'primary']);
    await setReplicaLag(world.replica, '-1 hour');
    // The circuit is still open in the server that noticed the lag, and in no other.
    expect([await feedSource(clientOf(url)), await feedSource(clientOf(other))]).toEqual([
      'primary',
      'replica',
    ]);
  });

  test('the primary answers if the replica is unreachable', async () => {
    const url = await aServer({ DATABASE_REPLICA_URL: 'postgresql://opine_gateway:x@127.0.0.1:1/nowhere' });
    expect(await sourcesRead(clientOf(url))).toEqual(['primary', 'primary', 'primary']);
  });

  test('the primary answers if the replica hangs, and only the first request tries the replica', async () => {
    const silent = await aSilentDatabase();
    const guest = clientOf(await aServer({ DATABASE_REPLICA_URL: silent.url }));
    expect(await sourcesRead(guest)).toEqual(['primary', 'primary', 'primary']);
    expect(silent.taken).toHaveLength(1);
  });
});

test('opine_replica_reads_total counts each outcome', async () => {
  const server = await startServer({
    ...testEnvironment(world.primary.database),
    ...WITH_METRICS,
    PROCESS: 'api',
    DATABASE_REPLICA_URL: world.replica.urlAs('opine_gateway'),
  });
  onTestFinished(() => server.stop());
  const guest = clientOf(server.url);
  expect(await feedSource(guest)).toBe('replica');
  await guest.get('/users/by-username/nobody');
  await setReplicaLag(world.replica, '6 seconds');
  expect([await feedSource(guest), await feedSource(guest)]).toEqual(['primary', 'primary']);
  await setReplicaLag(world.replica, '-1 hour');
  await feedSource(withBearer(server.url, await confirmedPerson(world.primary)));
  const { value } = await scrape(server);
  for (const outcome of ['answered', 'passed', 'failed', 'open']) {
    expect(value('opine_replica_reads_total', { outcome })).toBe(1);
  }
});
