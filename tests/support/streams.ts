import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import type { Json } from './client.ts';
import type { Opine, WithDatabase } from './opine.ts';
import type { Person, UserRef } from './people.ts';

// Longer than the interval between checks of a session.
const TIMEOUT_MS = 20_000;

export interface StreamEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: Json;
}

/** A stream ends with a complete response, or breaks off. */
type Ending = 'clean' | 'broken';

/** An event stream as a client sees it. */
export interface EventStream {
  readonly headers: IncomingHttpHeaders;
  /** The raw text so far. */
  readonly text: string;
  /** Events so far, oldest first. */
  readonly events: readonly StreamEvent[];
  /** Number of comments so far. */
  readonly comments: number;
  /** Undefined while the stream is open. */
  readonly ending: Ending | undefined;
  /**
   * Returns the first event that `matches`, past or future.
   * @throws Error on timeout
   */
  waitFor(matches: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /**
   * Waits for the end.
   * @throws Error on timeout
   */
  ended(): Promise<Ending>;
  stopReading(): void;
  /** Closes the connection by FIN. */
  leave(): void;
  /** Resets the connection (RST), as a killed client does. */
  vanish(): void;
}

/**
 * Opens an event stream, which closes with the test.
 * @throws Error on an error status
 */
export async function openEventStream(
  url: string,
  accessToken: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const { response, socket } = await answerTo(`${url}/api/v1/notifications/stream`, {
    authorization: `Bearer ${accessToken}`,
    ...headers,
  });
  if (response.statusCode !== 200) throw new Error(`The stream answered ${response.statusCode}.`);
  const onChange = new Set<() => void>();
  let text = '';
  let ending: Ending | undefined;
  const changed = () => {
    for (const look of onChange) look();
  };
  const end = (how: Ending) => {
    ending ??= how;
    changed();
  };
  response
    .setEncoding('utf8')
    .on('data', (piece: string) => {
      text += piece;
      changed();
    })
    .on('end', () => end(response.complete ? 'clean' : 'broken'))
    .on('error', () => end('broken'));

  function until<T>(look: () => T | undefined, wanted: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const again = () => {
      const found = look();
      if (found !== undefined) resolve(found);
    };
    const timeout = setTimeout(
      () =>
        reject(
          new Error(`No ${wanted} after ${TIMEOUT_MS} ms. The stream is ${ending ?? 'open'}, with ${text}`),
        ),
      TIMEOUT_MS,
    );
    onChange.add(again);
    again();
    return promise.finally(() => {
      clearTimeout(timeout);
      onChange.delete(again);
    });
  }

  const stream: EventStream = {
    headers: response.headers,
    get text() {
      return text;
    },
    get events() {
      return eventsIn(text);
    },
    get comments() {
      return blocksIn(text).filter((block) => block.startsWith(':')).length;
    },
    get ending() {
      return ending;
    },
    waitFor: (matches) => until(() => eventsIn(text).find(matches), 'event'),
    ended: () => until(() => ending, 'end'),
    stopReading: () => {
      response.pause();
      socket.pause();
    },
    leave: () => socket.destroy(),
    vanish: () => socket.resetAndDestroy(),
  };
  onTestFinished(stream.leave);
  return stream;
}

function answerTo(
  url: string,
  headers: Record<string, string>,
): Promise<{ response: IncomingMessage; socket: Socket }> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false })
      .on('response', (response) => resolve({ response, socket: response.socket }))
      .on('error', reject)
      .end();
  });
}

/** Returns the complete blocks. */
function blocksIn(text: string): string[] {
  return text.split('\n\n').slice(0, -1);
}

function eventsIn(text: string): StreamEvent[] {
  return blocksIn(text).flatMap((block) => {
    const fields = new Map(
      block.split('\n').map((line) => {
        const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
        return [name, value] as const;
      }),
    );
    const data = fields.get('data');
    if (data === undefined) return [];
    const id = fields.get('id');
    return [
      { event: fields.get('event') ?? 'message', ...(id !== undefined && { id }), data: JSON.parse(data) },
    ];
  });
}

/** Polls `look`: the other end of a connection reacts late. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look, { interval: 20 });
}

/** Opens a stream and waits for its `ready` event. */
export async function openReadyStream(
  { url }: Pick<Opine, 'url'>,
  { session }: Pick<Person, 'session'>,
): Promise<EventStream> {
  const stream = await openEventStream(url, session.accessToken);
  await stream.waitFor(({ event }) => event === 'ready');
  return stream;
}

/** Waits for the first signal of `type`. */
export function signalOfType(stream: EventStream, type: string): Promise<StreamEvent> {
  return stream.waitFor(({ data }) => data.type === type);
}

/** Waits for the signal of a notification. */
export function signalFor(stream: EventStream, { id }: Pick<Json, 'id'>): Promise<StreamEvent> {
  return stream.waitFor((event) => event.id === id);
}

export function receivedIds({ events }: EventStream): string[] {
  return events.flatMap(({ id }) => id ?? []);
}

/**
 * Waits until `stream` ends after a `reconnect` event.
 * @throws Error if it ends otherwise
 */
export async function expectReconnect(stream: EventStream): Promise<void> {
  const ending = await stream.ended();
  const last = stream.events.at(-1);
  if (ending !== 'clean' || last?.event !== 'reconnect') {
    throw new Error(`A stream ended ${ending}, with ${JSON.stringify(last)}`);
  }
}

/** Delays the publication of the outbox during `use`. */
export async function whilePublishingIsBlocked<T>(
  { database: { superuser } }: WithDatabase,
  use: () => Promise<T>,
): Promise<T> {
  await sql`revoke execute on function app.deliver_outbox(uuid, integer, integer) from opine_worker`.execute(
    superuser,
  );
  // Wait for the running task.
  await superuser
    .transaction()
    .execute((transaction) => sql`lock table app.outbox in access exclusive mode`.execute(transaction));
  try {
    return await use();
  } finally {
    await sql`grant execute on function app.deliver_outbox(uuid, integer, integer) to opine_worker`.execute(
      superuser,
    );
  }
}

/** Sends the signals of notifications again. */
export async function republish(
  { database: { superuser } }: WithDatabase,
  { id: recipientId }: UserRef,
  notificationIds: readonly string[],
): Promise<void> {
  await sql`
    select app.deliver_batch(array(
      select row(id, ${recipientId}, true, '{}')::app.due_notifications from unnest(${notificationIds}::uuid[]) as id
    ))`.execute(superuser);
}

/** Counts the connections that listen for signals. */
export async function countListeners({ database: { superuser } }: WithDatabase): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'opine-stream'
  `.execute(superuser);
  return rows.length;
}
