import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Json } from './reply.ts';

// Longer than it takes until a session is looked at again.
const TIMEOUT_MS = 20_000;

/** An event of a stream; `id` where it has one. */
export interface StreamEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: Json;
}

/** How a stream ended: as an answer that is complete, or broken off. */
export type Ending = 'clean' | 'broken';

/** A stream of events as a client sees it. */
export interface EventStream {
  readonly headers: IncomingHttpHeaders;
  /** Everything that came, as it came. */
  readonly text: string;
  /** The events that came, oldest first. */
  readonly events: readonly StreamEvent[];
  /** How many comments came. */
  readonly comments: number;
  /** How it ended; undefined while it goes on. */
  readonly ending: Ending | undefined;
  /** The first event that `matches`, of those that came and those that come. @throws where none comes for long */
  heard(matches: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** How it ends. @throws where it goes on for long */
  ended(): Promise<Ending>;
  /** Reads nothing from now on. */
  stopReading(): void;
  /** Goes, as a client that is closed: by FIN. */
  leave(): void;
  /** Goes, as a client that is killed: by RST. */
  vanish(): void;
}

/**
 * Opens the stream of the API at `url` with a bearer. It is left when the test that asked for it ends.
 * @throws Error where the answer is none
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
  if (response.statusCode !== 200) throw new Error(`There is no stream: ${response.statusCode}`);
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
        reject(new Error(`${wanted}: not after ${TIMEOUT_MS} ms. It ${ending ?? 'goes on'}, with ${text}`)),
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
    heard: (matches) => until(() => eventsIn(text).find(matches), 'An event'),
    ended: () => until(() => ending, 'An end'),
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

/** What is complete: the parts between empty lines. */
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
