import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { startServer } from '../../src/server.ts';
import { createCrashingDatabase } from '../simulations/votes/crashing-database.ts';
import { refusal } from '../support/client.ts';
import { anOpine, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import {
  anOpineOnAWire,
  isWorkerAlive,
  requestsOf,
  statusOf,
  withoutColumn,
  withoutDatabase,
} from '../support/outages.ts';
import { aGuest, confirmedPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';

const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE');

describe('an unreachable database', () => {
  // docs/product.md W15
  test('every request is 503 with healthz up and readyz down, and recovery needs no restart', async () => {
    const { opine, wire } = await anOpineOnAWire();
    const person = await confirmedPerson(opine);
    const post = await aSlider(person);
    for (const _ of [1, 2]) {
      await wire.cut();
      for (const reply of await Promise.all(requestsOf(opine, person, post))) {
        expect(reply).toMatchObject(UNAVAILABLE);
      }
      expect([await statusOf(opine, '/healthz'), await statusOf(opine, '/readyz')]).toEqual([200, 503]);
      await wire.mend();
      expect(await statusOf(opine, '/readyz')).toBe(200);
      expect((await person.get(`/posts/${post.id}`)).status).toBe(200);
    }
    expect((await castVote(person, post)).status).toBe(201);
    expect(await countsOf(person, post)).toEqual([0, 1, 0, 0, 0]);
  });

  test('requests without database access still succeed', async () => {
    const { opine, wire } = await anOpineOnAWire();
    await wire.cut();
    expect(await aGuest(opine).get('/nothing')).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
    expect(await aGuest(opine).post('/auth/otp/request', {})).toMatchObject(
      refusal(422, 'VALIDATION_FAILED'),
    );
    expect(await statusOf(opine, '/api/v1/openapi.json')).toBe(200);
  });

  test('requests in flight answer 200 or 503', async () => {
    const { opine, wire } = await anOpineOnAWire();
    const person = await confirmedPerson(opine);
    const post = await aSlider(person);
    const inFlight = Array.from({ length: 40 }, () => person.get(`/posts/${post.id}`));
    await inFlight[0];
    await wire.cut();
    const statuses = (await Promise.all(inFlight)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await wire.mend();
    expect((await person.get(`/posts/${post.id}`)).status).toBe(200);
  });
});

test('a database that refuses connections is 503 and recovers', async () => {
  const opine = await anOpine(WITH_WORKER);
  const person = await confirmedPerson(opine);
  const post = await aSlider(person);
  await withoutDatabase(opine.database, async () => {
    for (const reply of await Promise.all(requestsOf(opine, person, post))) {
      expect(reply).toMatchObject(UNAVAILABLE);
    }
    expect([await statusOf(opine, '/healthz'), await statusOf(opine, '/readyz')]).toEqual([200, 503]);
  });
  expect((await person.get(`/posts/${post.id}`)).status).toBe(200);
});

test('a write that reaches a read-only server is 503, and the next one opens another connection', async () => {
  const opine = await anOpine(WITH_WORKER);
  const person = await confirmedPerson(opine);
  const post = await aSlider(person);
  const { name, superuser } = opine.database;
  const endConnections = sql`
    select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename like 'opine%' and datname = ${name}`;
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(superuser);
  await endConnections.execute(superuser);
  const publish = () => person.post('/posts', { thoughtText: 'Now?', visibility: 'public' });
  for (const reply of [await publish(), await castVote(person, post)]) {
    expect(reply).toMatchObject(UNAVAILABLE);
    expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  // Only new connections learn of it.
  await sql`alter database ${sql.id(name)} reset default_transaction_read_only`.execute(superuser);
  expect((await publish()).status).toBe(201);
  expect((await castVote(person, post)).status).toBe(201);
});

test('a Postgres that is killed and starts again keeps what was acknowledged, and needs no restart of the service', async () => {
  const database = await createCrashingDatabase();
  onTestFinished(database.drop);
  const server = await startServer({ ...testEnvironment(database), ...WITH_WORKER });
  onTestFinished(server.stop);
  const opine = { url: server.url, database, stop: server.stop };
  const person = await confirmedPerson(opine);
  const post = await aSlider(person);
  expect((await castVote(person, post)).status).toBe(201);
  await database.crash('SIGKILL');
  for (const reply of await Promise.all(requestsOf(opine, person, post))) {
    expect(reply).toMatchObject(UNAVAILABLE);
  }
  expect(await statusOf(opine, '/readyz')).toBe(503);
  await database.recover();
  expect(await statusOf(opine, '/readyz')).toBe(200);
  expect(await countsOf(person, post)).toEqual([0, 1, 0, 0, 0]);
  await vi.waitUntil(() => isWorkerAlive(opine), { timeout: 15_000 });
});

test('a database without free connections is 503 and recovers', async () => {
  const opine = await anOpine(WITH_WORKER);
  const person = await confirmedPerson(opine);
  const { name, superuser } = opine.database;
  await sql`alter database ${sql.id(name)} with connection limit 0`.execute(superuser);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where usename like 'opine%'
    and datname = ${name}`.execute(superuser);
  expect(await person.get('/posts')).toMatchObject(UNAVAILABLE);
  await sql`alter database ${sql.id(name)} with connection limit -1`.execute(superuser);
  expect((await person.get('/posts')).status).toBe(200);
});

test('the service starts without a database and is not ready', async () => {
  const opine = await anOpine({
    ...WITH_WORKER,
    DATABASE_URL: 'postgresql://opine_gateway:x@127.0.0.1:1/nowhere',
  });
  expect(await aGuest(opine).get('/posts')).toMatchObject(UNAVAILABLE);
  expect([await statusOf(opine, '/healthz'), await statusOf(opine, '/readyz')]).toEqual([200, 503]);
});

// docs/product.md W15
test('a database that accepts connections and never responds is 503 after a timeout', async () => {
  const sockets: Socket[] = [];
  const blackHole = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => blackHole.listen(0, '127.0.0.1', resolve));
  const address = blackHole.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const opine = await anOpine({
    ...WITH_WORKER,
    DATABASE_URL: `postgresql://opine_gateway:x@127.0.0.1:${port}/nowhere`,
  });
  // Runs before the Opine stops: its worker would wait for the database too.
  onTestFinished(async () => {
    const closed = new Promise((resolve) => blackHole.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const [feed, ready] = await Promise.all([aGuest(opine).get('/posts'), statusOf(opine, '/readyz')]);
  expect(feed).toMatchObject(UNAVAILABLE);
  expect(ready).toBe(503);
});

test('a request on a locked table is 503 after the statement timeout', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { name, superuser } = opine.database;
  for (const role of ['opine_gateway', 'opine_serializable'] as const) {
    const [timeout] = await withClient(opine.database.urlAs(role), async (client) => {
      return (await client.query<{ statement_timeout: string }>('show statement_timeout')).rows;
    });
    expect(timeout).toEqual({ statement_timeout: '10s' });
    await sql`alter role ${sql.id(role)} in database ${sql.id(name)} set statement_timeout = '1s'`.execute(
      superuser,
    );
  }
  const person = await confirmedPerson(opine);
  const post = await aSlider(person);
  const reply = await superuser.transaction().execute(async (transaction) => {
    await sql`lock table app.posts in access exclusive mode`.execute(transaction);
    return Promise.race([person.get(`/posts/${post.id}`), sleep(20_000, 'still waiting', { ref: false })]);
  });
  expect(reply).toMatchObject(UNAVAILABLE);
  expect((await person.get(`/posts/${post.id}`)).status).toBe(200);
});

// docs/product.md W15
test('a fault in the database is 500 without details', async () => {
  const opine = await anOpine(WITH_WORKER);
  const person = await confirmedPerson(opine);
  const post = await aSlider(person);
  await withoutColumn(opine.database, 'app.posts', 'author_id', async () => {
    const reply = await person.get(`/posts/${post.id}`);
    expect(reply).toMatchObject(refusal(500, 'INTERNAL_ERROR'));
    expect(JSON.stringify(reply.error)).not.toMatch(/author_id|column|app\./);
  });
  expect((await person.get(`/posts/${post.id}`)).status).toBe(200);
});
