import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { type Person, registeredPerson } from '../support/people.ts';
import {
  countListeners,
  type EventStream,
  eventually,
  expectReconnect,
  openReadyStream,
  receivedIds,
  signalFor,
} from '../support/streams.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** Notifies `person` and expects the signal on `stream`. */
async function expectSignal(opine: Opine, stream: EventStream, person: Person): Promise<void> {
  await follow(await registeredPerson(opine), person);
  const [notification] = await notificationsOf(person);
  await signalFor(stream, notification);
}

test('a killed listening connection makes streams reconnect, and the next streams get signals', async () => {
  const opine = await anOpine();
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

test('a stream is 503 while the service cannot listen, and later streams get each signal once', async () => {
  const { port } = inject('postgres');
  const wire = await startTcpProxy(port);
  onTestFinished(() => wire.cut());
  const opine = await anOpine((database) => {
    const url = new URL(database.urlAs('opine_gateway'));
    url.port = String(wire.port);
    return { DATABASE_LISTEN_URL: url.href };
  });
  const maya = await registeredPerson(opine);
  const before = await openReadyStream(opine, maya);
  await wire.cut();
  const statusOfStream = async () => {
    const stop = new AbortController();
    const { status } = await fetch(`${opine.url}/api/v1/notifications/stream`, {
      headers: { authorization: `Bearer ${maya.session.accessToken}` },
      signal: stop.signal,
    });
    stop.abort();
    return status;
  };
  await eventually(statusOfStream).toBe(503);
  await wire.mend();
  await openReadyStream(opine, maya);
  // Signals may have been lost in between.
  await expectReconnect(before);
  const after = await openReadyStream(opine, maya);
  await expectSignal(opine, after, maya);
  await expectSignal(opine, after, maya);
  expect(receivedIds(after)).toEqual([...new Set(receivedIds(after))]);
  expect(await countListeners(opine)).toBe(1);
});
