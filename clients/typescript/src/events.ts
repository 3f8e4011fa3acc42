import { OpineError, RealtimeError } from './error.ts';
import { jittered, wait } from './patience.ts';

/** How the inbox is. */
export interface InboxState {
  readonly unreadCount: number;
  readonly inboxVersion: number;
}

/** That there is a notification: its id, what it is of, and, on the event stream, how new the inbox is. */
export interface Hint {
  readonly notificationId: string;
  readonly type: string;
  readonly recipientUserId: string;
  readonly actorIsAnonymous: boolean;
  readonly inboxVersion?: number;
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

/** The events of one connection, and how many milliseconds to wait before the next, where the server says that. */
export type Connection = AsyncGenerator<StreamEvent | number, void, undefined>;

const FIRST_WAIT_MS = 3_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Follows the events, from one connection to the next, until `signal` is aborted.
 * @param connect makes one connection, and returns or throws where it is lost
 * @throws OpineError where the session is over or may not listen
 * @throws RealtimeError where Realtime refuses the channel
 */
export async function* follow(
  connect: (signal: AbortSignal) => Connection,
  signal: AbortSignal,
): AsyncGenerator<StreamEvent, void, undefined> {
  let base = FIRST_WAIT_MS;
  let failures = 0;
  while (!signal.aborted) {
    try {
      for await (const event of connect(signal)) {
        failures = 0;
        if (typeof event === 'number') base = event;
        else yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RealtimeError) throw error;
      if (error instanceof OpineError && error.status < 500 && error.status !== 429) throw error;
    }
    await wait(jittered(Math.min(base * 2 ** failures, LONGEST_WAIT_MS)), signal);
    failures += 1;
  }
}
