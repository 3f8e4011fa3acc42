import { sql } from 'kysely';
import { expect } from 'vitest';
import { type EventStream, openEventStream, type StreamEvent } from './event-stream.ts';
import type { Opine } from './opine.ts';
import type { Person } from './people.ts';
import type { Json } from './reply.ts';

/** What `look` sees in the end, for an expectation: what happens at the other end of a connection takes a while. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { timeout: 10_000, interval: 20 });
}

/** The stream of `person`, which has told how the inbox is. */
export async function listening(
  { url }: Pick<Opine, 'url'>,
  { session }: Pick<Person, 'session'>,
): Promise<EventStream> {
  const stream = await openEventStream(url, session.accessToken);
  await stream.heard(({ event }) => event === 'ready');
  return stream;
}

/** The hint of the first notification of `type` on `stream`. */
export function signalOf(stream: EventStream, type: string): Promise<StreamEvent> {
  return stream.heard(({ data }) => data.type === type);
}

/** The first hint of this notification on `stream`. */
export function heardOf(stream: EventStream, { id }: Pick<Json, 'id'>): Promise<StreamEvent> {
  return stream.heard((heard) => heard.id === id);
}

/** The ids of the notifications of which `stream` told. */
export function idsHeard({ events }: EventStream): string[] {
  return events.flatMap(({ id }) => id ?? []);
}

/** Resolves when `stream` has been told to open the next one, and has ended. @throws where it ended otherwise */
export async function isToReconnect(stream: EventStream): Promise<void> {
  const ending = await stream.ended();
  const last = stream.events.at(-1);
  if (ending !== 'clean' || last?.event !== 'reconnect') {
    throw new Error(`A stream ended ${ending}, with ${JSON.stringify(last)}`);
  }
}

/** Runs `use` while nobody is told of what comes into the outbox; all is told afterwards, at once. */
export async function whileNothingIsPublished<T>(
  { database: { superuser } }: Pick<Opine, 'database'>,
  use: () => Promise<T>,
): Promise<T> {
  await sql`revoke execute on function app.publish_signals(uuid, integer, integer) from opine_worker`.execute(
    superuser,
  );
  // Waits for the turn under way.
  await superuser
    .transaction()
    .execute((transaction) => sql`lock table app.outbox in access exclusive mode`.execute(transaction));
  try {
    return await use();
  } finally {
    await sql`grant execute on function app.publish_signals(uuid, integer, integer) to opine_worker`.execute(
      superuser,
    );
  }
}

/** Tells those who hold streams of notifications of `recipient`, whatever became of these. */
export async function republish(
  { database: { superuser } }: Pick<Opine, 'database'>,
  { id: recipientId }: Pick<Person, 'id'>,
  notificationIds: readonly string[],
): Promise<void> {
  const told = notificationIds.map((id) => `${recipientId} ${id}`).join(',');
  await sql`select pg_notify('opine_signals', ${told})`.execute(superuser);
}

/** How many connections listen for signals. */
export async function listenersOf({ database: { superuser } }: Pick<Opine, 'database'>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'opine-stream'
  `.execute(superuser);
  return rows.length;
}
