import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { OpineError, refusalIn } from './error.ts';
import { jittered, wait } from './patience.ts';

/** How the inbox is. */
export interface InboxState {
  readonly unreadCount: number;
  readonly inboxVersion: number;
}

/** That there is a notification: its id, what it is of, and how new the inbox is. */
export interface Hint {
  readonly notificationId: string;
  readonly type: string;
  readonly recipientUserId: string;
  readonly actorIsAnonymous: boolean;
  readonly inboxVersion: number;
  readonly actorId?: string;
  readonly postId?: string;
  readonly sourcePostId?: string;
  readonly commentId?: string;
  readonly hubId?: string;
  readonly invitationId?: string;
  readonly joinRequestId?: string;
}

/**
 * What the stream tells. After each, read the inbox: hints may come twice or not at all, and what was missed while there was
 * no connection is not told again, which is why each connection begins with `ready`.
 */
export type StreamEvent =
  | { readonly type: 'ready'; readonly inbox: InboxState }
  | { readonly type: 'notification'; readonly hint: Hint };

const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;

// A comment comes at least every 20 seconds: after twice that the connection is dead.
const SILENCE_MS = 45_000;

/**
 * Follows the event stream, from one connection to the next, until `signal` is aborted.
 * @param open sends the request for one connection
 * @throws OpineError where the session is over or may not listen
 */
export async function* follow(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  let base = FIRST_WAIT_MS;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const message of connection(open, signal)) {
        failures = 0;
        if (typeof message === 'number') base = message;
        else if (message.event === 'ready') yield { type: 'ready', inbox: JSON.parse(message.data) };
        else if (message.event === 'notification')
          yield { type: 'notification', hint: JSON.parse(message.data) };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof OpineError && error.status < 500 && error.status !== 429) throw error;
    }
    await wait(jittered(Math.min(base * 2 ** failures, LONGEST_WAIT_MS)), signal);
    failures += 1;
  }
}

/** The messages of one connection, and how long to wait before the next, where it says that: a number. */
async function* connection(
  open: (signal: AbortSignal) => Promise<Response>,
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage | number, void, undefined> {
  const leaving = new AbortController();
  const received: (EventSourceMessage | number)[] = [];
  const parser = createParser({
    onEvent: (message) => received.push(message),
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
