import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { readError } from './error.ts';
import type { Connection, StreamEvent } from './events.ts';

// The service sends a comment at least every 20 seconds, so a longer timer means a dead connection.
const SILENCE_TIMEOUT_MS = 45_000;

/**
 * Yields the events of one connection to Opine's event stream (server-sent events).
 * @param open sends the request
 * @throws OpineError if Opine refuses the stream
 */
export async function* eventStream(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): Connection {
  const closing = new AbortController();
  let reader: ReadableStreamDefaultReader<string> | undefined;
  // Node may collect the controller of a cloned request before its signal aborts, so the reader is cancelled too.
  const close = () => {
    closing.abort();
    reader?.cancel().catch(() => {});
  };
  signal.addEventListener('abort', close, { once: true });
  const received: (StreamEvent | number)[] = [];
  const parser = createParser({
    onEvent: (message) => received.push(...eventsIn(message)),
    onRetry: (ms) => received.push(ms),
  });
  try {
    const response = await open(closing.signal);
    if (!response.ok) throw await readError(response);
    reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const timer = setTimeout(close, SILENCE_TIMEOUT_MS);
      const chunk = await reader?.read().finally(() => clearTimeout(timer));
      if (chunk?.value === undefined) return;
      parser.feed(chunk.value);
      yield* received.splice(0);
    }
  } finally {
    signal.removeEventListener('abort', close);
    closing.abort();
  }
}

function eventsIn({ event, data }: EventSourceMessage): StreamEvent[] {
  if (event === 'ready') return [{ type: 'ready', inbox: JSON.parse(data) }];
  if (event === 'notification') return [{ type: 'notification', payload: JSON.parse(data) }];
  return [];
}
