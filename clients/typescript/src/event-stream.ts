import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { refusalIn } from './error.ts';
import type { Connection, StreamEvent } from './events.ts';

// A comment comes at least every 20 seconds: after twice that the connection is dead.
const SILENCE_MS = 45_000;

/**
 * The events of one connection to Opine's event stream (server-sent events).
 * @param open sends the request
 * @throws OpineError where the stream is refused
 */
export async function* eventStream(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): Connection {
  const leaving = new AbortController();
  const received: (StreamEvent | number)[] = [];
  const parser = createParser({
    onEvent: (message) => received.push(...eventsIn(message)),
    onRetry: (ms) => received.push(ms),
  });
  try {
    const response = await open(AbortSignal.any([signal, leaving.signal]));
    if (!response.ok) throw await refusalIn(response);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const silence = setTimeout(() => leaving.abort(), SILENCE_MS);
      const part = await reader?.read().finally(() => clearTimeout(silence));
      if (part?.value === undefined) return;
      parser.feed(part.value);
      yield* received.splice(0);
    }
  } finally {
    leaving.abort();
  }
}

function eventsIn({ event, data }: EventSourceMessage): StreamEvent[] {
  if (event === 'ready') return [{ type: 'ready', inbox: JSON.parse(data) }];
  if (event === 'notification') return [{ type: 'notification', hint: JSON.parse(data) }];
  return [];
}
