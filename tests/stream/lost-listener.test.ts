import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { EventStream } from '../support/event-stream.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aRegistered, type Person } from '../support/people.ts';
import { eventually, heardOf, idsHeard, isToReconnect, listenersOf, listening } from '../support/streams.ts';
import { layWire } from '../support/wire.ts';

/** Notifies `person` and expects the signal on `stream`. */
async function expectSignal(opine: Opine, stream: EventStream, person: Person): Promise<void> {
  await follow(await aRegistered(opine), person);
  const [notification] = await notificationsOf(person);
  await heardOf(stream, notification);
}

test('a killed listening connection makes streams reconnect, and the next streams get signals', async () => {
  const opine = await anOpine();
  const maya = await aRegistered(opine);
  const [phone, tablet] = [await listening(opine, maya), await listening(opine, maya)];
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'opine-stream'
  `.execute(opine.database.superuser);
  for (const stream of [phone, tablet]) await isToReconnect(stream);
  await expectSignal(opine, await listening(opine, maya), maya);
  expect(await listenersOf(opine)).toBe(1);
});

test('a stream is 503 while the service cannot listen, and later streams get each signal once', async () => {
  const { port } = inject('postgres');
  const wire = await layWire(port);
  onTestFinished(() => wire.cut());
  const opine = await anOpine((database) => {
    const url = new URL(database.urlAs('opine_gateway'));
    url.port = String(wire.port);
    return { DATABASE_LISTEN_URL: url.href };
  });
  const maya = await aRegistered(opine);
  const before = await listening(opine, maya);
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
  await listening(opine, maya);
  // Signals may have been lost in between.
  await isToReconnect(before);
  const after = await listening(opine, maya);
  await expectSignal(opine, after, maya);
  await expectSignal(opine, after, maya);
  expect(idsHeard(after)).toEqual([...new Set(idsHeard(after))]);
  expect(await listenersOf(opine)).toBe(1);
});
