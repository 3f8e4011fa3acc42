import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { createServices } from '../../src/services.ts';
import { createStreams } from '../../src/stream/streams.ts';
import { NONEXISTENT } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { anOpine, type Opine, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { anonymousPerson, type Person, registeredPerson } from '../support/people.ts';
import { startServerProcess } from '../support/server-process.ts';
import { logOut } from '../support/sign-in.ts';
import { startStreamServer } from '../support/streaming.ts';
import {
  countListeners,
  type EventStream,
  eventually,
  expectReconnect,
  openReadyStream,
  receivedIds,
  signalFor,
} from '../support/streams.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const NO_IMAGES = { prepare: async () => 'not_decodable' as const };

// docs/product.md N19
test('a stream ends within seconds of its session, and other streams go on', async () => {
  const opine = await anOpine(WITH_WORKER);
  const [maya, jonas] = [await anonymousPerson(opine), await anonymousPerson(opine)];
  const [hers, his] = [await openReadyStream(opine, maya), await openReadyStream(opine, jonas)];
  await logOut(opine, maya.session);
  await expectReconnect(hers);
  expect(his.ending).toBeUndefined();
});

// docs/product.md N19
test('the end of the process ends every stream cleanly', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const { url, end } = await startServerProcess({ ...testEnvironment(database), ...WITH_WORKER });
  const opine = { url, database, stop: () => Promise.resolve() };
  const [maya, jonas] = [await anonymousPerson(opine), await anonymousPerson(opine)];
  const streams = [await openReadyStream(opine, maya), await openReadyStream(opine, jonas)];
  // A stalled client delays the end by seconds at most.
  (await openReadyStream(opine, jonas)).stopReading();
  const ended = end();
  for (const stream of streams) await expectReconnect(stream);
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

test('a stopped server closes its listening connection', async () => {
  const opine = await anOpine(WITH_WORKER);
  const server = await startServer({ ...testEnvironment(opine.database), ...WITH_WORKER });
  const stream = await openReadyStream(server, await anonymousPerson(opine));
  expect(await countListeners(opine)).toBe(1);
  await Promise.all([server.stop(), expectReconnect(stream)]);
  await eventually(() => countListeners(opine)).toBe(0);
});

test('a stream requested after the shutdown is refused', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { gateway } = await createServices(readConfig(testEnvironment(opine.database)), NO_IMAGES);
  onTestFinished(() => gateway.close());
  const streams = createStreams({ gateway, listenUrl: opine.database.urlAs('opine_gateway') });
  await streams.close();
  await expect(
    streams.prepare({ userId: NONEXISTENT.id, sessionId: NONEXISTENT.id }, '{}'),
  ).rejects.toThrow();
  expect(await countListeners(opine)).toBe(0);
});

/** Notifies `person` and expects the signal on `stream`. */
async function expectSignal(opine: Opine, stream: EventStream, person: Person): Promise<void> {
  await follow(await registeredPerson(opine), person);
  const [notification] = await notificationsOf(person);
  await signalFor(stream, notification);
}

test('a killed listening connection makes streams reconnect, and the next streams get signals', async () => {
  const opine = await anOpine(WITH_WORKER);
  const maya = await registeredPerson(opine);
  const [phone, tablet] = [await openReadyStream(opine, maya), await openReadyStream(opine, maya)];
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'opine-stream'
  `.execute(opine.database.superuser);
  for (const stream of [phone, tablet]) await expectReconnect(stream);
  await expectSignal(opine, await openReadyStream(opine, maya), maya);
  expect(await countListeners(opine)).toBe(1);
});

test('a signal that Postgres cannot open ends the streams of its recipient alone, which read the inbox then', async () => {
  const opine = await anOpine(WITH_WORKER);
  const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
  const [phone, tablet] = [await openReadyStream(opine, maya), await openReadyStream(opine, maya)];
  const his = await openReadyStream(opine, jonas);
  const { superuser } = opine.database;
  await sql`revoke execute on function gateway.open_signals from opine_gateway`.execute(superuser);
  await follow(await registeredPerson(opine), maya);
  for (const stream of [phone, tablet]) await expectReconnect(stream);
  await sql`grant execute on function gateway.open_signals to opine_gateway`.execute(superuser);
  expect(his.ending).toBeUndefined();
  await expectSignal(opine, his, jonas);
});

/** Starts a wire to Postgres that the test can cut or silence. Returns it with the URL of the database through it. */
async function aWireTo(database: TestDatabase): Promise<{ wire: TcpProxy; listenUrl: string }> {
  const wire = await startTcpProxy(inject('postgres').port);
  onTestFinished(() => wire.cut());
  const url = new URL(database.urlAs('opine_gateway'));
  url.port = String(wire.port);
  return { wire, listenUrl: url.href };
}

test('a listening connection that goes silent is replaced, and streams reconnect', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { wire, listenUrl } = await aWireTo(opine.database);
  const server = await startStreamServer(opine, { listenUrl, maxSilenceMs: 2_000 });
  const maya = await registeredPerson(opine);
  const before = await openReadyStream(server, maya);
  wire.silence();
  await expectReconnect(before);
  await expectSignal(opine, await openReadyStream(server, maya), maya);
});

test('a stream is 503 while the service cannot listen, and later streams get each signal once', async () => {
  const opine = await anOpine(WITH_WORKER);
  const { wire, listenUrl } = await aWireTo(opine.database);
  const server = await startStreamServer(opine, { listenUrl });
  const maya = await registeredPerson(opine);
  const before = await openReadyStream(server, maya);
  await wire.cut();
  const statusOfStream = async () => {
    const stop = new AbortController();
    const { status } = await fetch(`${server.url}/api/v1/notifications/stream`, {
      headers: { authorization: `Bearer ${maya.session.accessToken}` },
      signal: stop.signal,
    });
    stop.abort();
    return status;
  };
  await eventually(statusOfStream).toBe(503);
  await wire.mend();
  await openReadyStream(server, maya);
  // Signals may have been lost in between.
  await expectReconnect(before);
  const after = await openReadyStream(server, maya);
  await expectSignal(opine, after, maya);
  await expectSignal(opine, after, maya);
  expect(receivedIds(after)).toEqual([...new Set(receivedIds(after))]);
  expect(await countListeners(opine)).toBe(1);
});
