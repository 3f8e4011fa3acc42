import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { clientOf, refusal } from '../support/client.ts';
import { testEnvironment } from '../support/opine.ts';
import { aConfirmed } from '../support/people.ts';
import {
  feedOf,
  isBehindBy,
  readBy,
  startTwoDatabases,
  type TwoDatabases,
  withBearer,
} from '../support/replicas.ts';
import { besides, logOut } from '../support/sign-in.ts';
import { SCRAPED, scrape } from '../support/watching.ts';

let world: TwoDatabases;

beforeAll(async () => {
  world = await startTwoDatabases();
});

afterAll(() => world?.end());

/** A server that has a replica to ask. */
function aServer(changes: Environment = {}): Promise<string> {
  const url = world.replica.urlAs('opine_gateway');
  return besides(world.primary, { PROCESS: 'api', DATABASE_REPLICA_URL: url, ...changes });
}

/** The address of a database that takes connections and never says a word, and how many it took. */
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

describe('a replica answers', () => {
  test('guests, whatever they may read of it', async () => {
    expect(await readBy(clientOf(await aServer()))).toEqual(['replica', 'replica', 'replica']);
    expect(await readBy(clientOf(world.primary.url))).toEqual(['primary', 'primary', 'primary']);
  });

  test('what it is configured to', async () => {
    const feeds = clientOf(await aServer({ DATABASE_REPLICA_READS: 'feeds' }));
    expect(await readBy(feeds)).toEqual(['replica', 'primary', 'primary']);
    const others = clientOf(await aServer({ DATABASE_REPLICA_READS: 'profiles, search' }));
    expect(await readBy(others)).toEqual(['primary', 'replica', 'replica']);
  });

  test('nobody with a bearer, whose rights may have ended, nor whoever had one', async () => {
    const url = await aServer();
    const { primary, maya } = world;
    const member = withBearer(url, maya);
    // Maya has a post of her own: the home feed that is hers.
    expect(await readBy(member)).toEqual(['primary', 'primary', 'primary']);
    await logOut(primary, maya.session);
    expect(await readBy(member)).toEqual(['primary', 'primary', 'primary']);
    expect(await member.get(`/users/${maya.id}/profile`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('yes, and never no: what it does not know the primary may', async () => {
    const guest = clientOf(await aServer());
    expect((await guest.get('/users/by-username/noor_of_primary')).data.name).toBe('Noor');
    expect(await guest.get('/users/by-username/nobody')).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    // A refusal is no reason to leave it alone.
    expect(await feedOf(guest)).toBe('replica');
  });
});

describe('the primary answers for a replica', () => {
  test('that is too far behind', async () => {
    const [url, other] = [await aServer(), await aServer()];
    await isBehindBy(world.replica, '3 seconds');
    expect(await feedOf(clientOf(url))).toBe('replica');
    await isBehindBy(world.replica, '6 seconds');
    expect(await readBy(clientOf(url))).toEqual(['primary', 'primary', 'primary']);
    await isBehindBy(world.replica, '-1 hour');
    // It rests for a while where that was noticed, and nowhere else.
    expect([await feedOf(clientOf(url)), await feedOf(clientOf(other))]).toEqual(['primary', 'replica']);
  });

  test('that is away', async () => {
    const url = await aServer({ DATABASE_REPLICA_URL: 'postgresql://opine_gateway:x@127.0.0.1:1/nowhere' });
    expect(await readBy(clientOf(url))).toEqual(['primary', 'primary', 'primary']);
  });

  test('that hangs, of which nobody but the first takes notice', async () => {
    const silent = await aSilentDatabase();
    const guest = clientOf(await aServer({ DATABASE_REPLICA_URL: silent.url }));
    expect(await readBy(guest)).toEqual(['primary', 'primary', 'primary']);
    expect(silent.taken).toHaveLength(1);
  });
});

test('who answered what a replica may is counted', async () => {
  const server = await startServer({
    ...testEnvironment(world.primary.database),
    ...SCRAPED,
    PROCESS: 'api',
    DATABASE_REPLICA_URL: world.replica.urlAs('opine_gateway'),
  });
  onTestFinished(() => server.stop());
  const guest = clientOf(server.url);
  expect(await feedOf(guest)).toBe('replica');
  await guest.get('/users/by-username/nobody');
  await isBehindBy(world.replica, '6 seconds');
  expect([await feedOf(guest), await feedOf(guest)]).toEqual(['primary', 'primary']);
  await isBehindBy(world.replica, '-1 hour');
  await feedOf(withBearer(server.url, await aConfirmed(world.primary)));
  const { value } = await scrape(server);
  for (const outcome of ['answered', 'passed', 'failed', 'resting']) {
    expect(value('opine_replica_reads_total', { outcome })).toBe(1);
  }
});
