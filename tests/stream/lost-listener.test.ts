import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { EventStream } from '../support/event-stream.ts';
import { follow } from '../support/graph.ts';
import { notificationsOf } from '../support/inbox.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aRegistered, type Person } from '../support/people.ts';
import { eventually, heardOf, idsHeard, isToReconnect, listenersOf, listening } from '../support/streams.ts';
import { layWire } from '../support/wire.ts';

/** Somebody follows `person`, and `stream` hears of it. */
async function hearsOfFollower(opine: Opine, stream: EventStream, person: Person): Promise<void> {
  await follow(await aRegistered(opine), person);
  const [told] = await notificationsOf(person);
  await heardOf(stream, told);
}

test('when the connection that listens is killed, streams are to reconnect, and the next ones hear', async () => {
  const opine = await anOpine();
  const maya = await aRegistered(opine);
  const [phone, tablet] = [await listening(opine, maya), await listening(opine, maya)];
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'opine-stream'
  `.execute(opine.database.superuser);
  for (const stream of [phone, tablet]) await isToReconnect(stream);
  await hearsOfFollower(opine, await listening(opine, maya), maya);
  expect(await listenersOf(opine)).toBe(1);
});

test('as long as nothing can listen there is no stream; afterwards each is opened, and hears once', async () => {
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
  // What came in between is unknown.
  await isToReconnect(before);
  const after = await listening(opine, maya);
  await hearsOfFollower(opine, after, maya);
  await hearsOfFollower(opine, after, maya);
  expect(idsHeard(after)).toEqual([...new Set(idsHeard(after))]);
  expect(await listenersOf(opine)).toBe(1);
});
