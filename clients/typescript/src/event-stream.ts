import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { readBody } from './error.ts';
import type { Connection, StreamEvent } from './events.ts';
import {
  type Fetch,
  type FetchInit,
  type FetchResponse,
  type Platform,
  PlatformError,
  type StreamedBody,
} from './platform.ts';
import { wait } from './retry.ts';
import { fetchByXhr, hasXhr } from './xhr.ts';

// The service sends a comment at least every 20 seconds, so a longer timer means a dead connection.
const SILENCE_TIMEOUT_MS = 45_000;

/**
 * Yields the events of one connection to Opine's event stream (server-sent events).
 * @param open sends the request
 * @throws OpineError if Opine refuses the stream
 * @throws PlatformError if the platform cannot read a stream
 */
export async function* eventStream(
  open: (signal: AbortSignal) => Promise<FetchResponse>,
  signal: AbortSignal,
): Connection {
  const closing = new AbortController();
  let chunks: Chunks | undefined;
  // Some platforms ignore the signal once a response has begun, so the body is cancelled too.
  const close = () => {
    closing.abort();
    chunks?.cancel();
  };
  signal.addEventListener('abort', close);
  const received: (StreamEvent | number)[] = [];
  const parser = createParser({
    onEvent: (message) => received.push(...eventsIn(message)),
    onRetry: (ms) => received.push(ms),
  });
  try {
    const response = await open(closing.signal);
    if (!response.ok) await readBody(response);
    if (!response.body) throw noStream();
    chunks = chunksOf(response.body);
    for (;;) {
      const timer = setTimeout(close, SILENCE_TIMEOUT_MS);
      const chunk = await chunks.next().finally(() => clearTimeout(timer));
      if (chunk === null) return;
      parser.feed(chunk);
      yield* received.splice(0);
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

/** The body of a response, as text. */
interface Chunks {
  /** Returns the next part; null at the end. */
  next(): Promise<string | null>;
  cancel(): void;
}

function chunksOf(body: StreamedBody): Chunks {
  const source = 'getReader' in body ? body.getReader() : iteratorOf(body);
  let decoder: TextDecoder | undefined;
  const decode = (bytes: Uint8Array) => {
    if (typeof TextDecoder !== 'function') throw noStream();
    decoder ??= new TextDecoder();
    return decoder.decode(bytes, { stream: true });
  };
  return {
    next: async () => {
      const { done, value } = 'read' in source ? await source.read() : await source.next();
      if (done || value === undefined) return null;
      return typeof value === 'string' ? value : decode(value);
    },
    cancel: () => {
      const ending = 'cancel' in source ? source.cancel() : source.return?.();
      ending?.catch(() => {});
    },
  };
}

/** Returns a generator unchanged: without `Symbol.asyncIterator`, in Hermes, it has no method that returns itself. */
function iteratorOf<T>(chunks: AsyncIterable<T> | AsyncGenerator<T>): AsyncIterator<T> {
  return 'next' in chunks ? chunks : chunks[Symbol.asyncIterator]();
}

function eventsIn({ event, data }: EventSourceMessage): StreamEvent[] {
  if (event === 'ready') return [{ type: 'ready', inbox: JSON.parse(data) }];
  if (event === 'notification') return [{ type: 'notification', payload: JSON.parse(data) }];
  return [];
}

const noStream = () =>
  new PlatformError('openStream', 'This platform cannot read a response while it arrives.');

// A stream is answered at once. After the first wait a small request tells whether the network is slow.
const FIRST_WAIT_MS = 1_000;
const SECOND_WAIT_MS = 500;

/**
 * Returns the `fetch` for streams: the option `openStream`, else `fetch` if it can read a body while it arrives, else
 * `XMLHttpRequest`.
 * @param probe sends a small request
 */
export function createStreamFetch(
  { fetch, openStream }: Platform,
  probe: (signal?: AbortSignal) => Promise<FetchResponse>,
): Fetch {
  if (openStream !== undefined) return openStream;
  let canStream: boolean | undefined;

  /** Returns null if the small request is answered first: `fetch`, or a proxy, waits for the end of the body. */
  async function fetchAtOnce(url: string, init: FetchInit): Promise<FetchResponse | null> {
    const answered = new AbortController();
    const { signal } = answered;
    const overtake = async () => {
      await wait(FIRST_WAIT_MS, signal);
      if (!signal.aborted) await probe(signal);
      await wait(SECOND_WAIT_MS, signal);
      return null;
    };
    return Promise.race([fetch(url, init), overtake()]).finally(() => answered.abort());
  }

  return async (url, init) => {
    canStream ??= Boolean((await probe(init.signal)).body);
    const response = canStream ? await fetchAtOnce(url, init) : null;
    if (response !== null) return response;
    canStream = false;
    if (hasXhr()) return fetchByXhr(url, init);
    throw noStream();
  };
}
