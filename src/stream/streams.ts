import type { Gateway } from '../db/gateway.ts';
import { createListener } from '../db/listener.ts';
import type { Signal } from '../db/signals.ts';
import { notification, ready } from './frames.ts';
import type { Subscribe } from './sink.ts';
import { createSubscribers, type Subscriber } from './subscribers.ts';

const TICK_MS = 1_000;
const TICKS_PER_CHECK = 5;
const SESSIONS_PER_QUERY = 5_000;
const MAX_BATCH = 500;
// Signals that arrive within this time share a query.
const GATHER_MS = 20;
// Streams end before 55 minutes (docs/product.md N19), spread so that clients do not reconnect at once.
const LIFE_MS = { from: 45 * 60_000, to: 54 * 60_000 };

/** The session that a stream belongs to. */
export interface Listening {
  readonly userId: string;
  readonly sessionId: string;
}

/** Event streams of signals (docs/product.md N18). Each signal is authorised in Postgres before it is sent. */
export interface Streams {
  /**
   * Prepares a stream.
   * @param inbox JSON of the inbox state, for the first event
   * @returns subscribes the sink of the stream
   * @throws if the listener cannot connect
   */
  prepare(listening: Listening, inbox: string): Promise<Subscribe>;
  /** How many streams this process holds. */
  readonly count: number;
  /** How many signals it has sent. */
  readonly sentCount: number;
  /** Ends every stream cleanly, and new ones at once. */
  close(): Promise<void>;
}

/** Options of streams. */
export interface StreamsOptions {
  readonly gateway: Pick<Gateway, 'openSignals' | 'liveSessions'>;
  /** A direct connection, which can LISTEN. */
  readonly listenUrl: string;
  /** See `ListenerOptions`. */
  readonly maxSilenceMs?: number;
}

/** Creates streams. It connects when the first stream is prepared. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export function createStreams({ gateway, listenUrl, maxSilenceMs }: StreamsOptions): Streams {
  const subscribers = createSubscribers();
  const listener = createListener({
    url: listenUrl,
    onSignals: gather,
    // Clients read the inbox when they reconnect.
    onGap: () => finishAll(subscribers.all()),
    ...(maxSilenceMs !== undefined && { maxSilenceMs }),
  });
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let ticks = 0;
  let sentCount = 0;
  let isSending = false;
  let isClosing = false;

  function finishAll(ended: Iterable<Subscriber>): void {
    for (const subscriber of [...ended]) subscribers.finish(subscriber);
  }

  /** Queues signals of connected recipients. */
  function gather(signals: readonly Signal[]): void {
    for (const { recipientId, notificationId } of signals) {
      if (subscribers.of(recipientId).length > 0) waiting.set(notificationId, recipientId);
    }
    if (waiting.size === 0 || isSending) return;
    isSending = true;
    setTimeout(sendAll, GATHER_MS);
  }

  /** Runs one query at a time, so that requests find connections and signals keep their order. */
  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const signals = [...waiting.entries().take(MAX_BATCH)];
      for (const [notificationId] of signals) waiting.delete(notificationId);
      await send(signals);
    }
    isSending = false;
  }

  async function send(signals: readonly (readonly [string, string])[]): Promise<void> {
    const recipients = [...new Set(signals.map(([, userId]) => userId))].flatMap((userId) => [
      ...subscribers.of(userId),
    ]);
    const bySession = Map.groupBy(recipients, ({ sessionId }) => sessionId);
    try {
      const opened = await gateway.openSignals(
        signals.map(([notificationId]) => notificationId),
        [...bySession.keys()],
      );
      for (const { sessionId, signal } of opened) {
        for (const subscriber of bySession.get(sessionId) ?? []) {
          subscribers.send(subscriber, notification(signal));
          sentCount += 1;
        }
      }
    } catch {
      // The signals are lost, so the clients must read the inbox.
      finishAll(recipients);
    }
  }

  function tick(): void {
    subscribers.tick(Date.now());
    ticks += 1;
    if (ticks % TICKS_PER_CHECK === 0) void checkSessions();
  }

  async function checkSessions(): Promise<void> {
    const all = [...subscribers.all()];
    for (let first = 0; first < all.length; first += SESSIONS_PER_QUERY) {
      const checked = all.slice(first, first + SESSIONS_PER_QUERY);
      // While Postgres is unreachable no signal is sent either; the next check retries.
      const live = await gateway.liveSessions(checked.map(({ sessionId }) => sessionId)).catch(() => null);
      if (live !== null) finishAll(checked.filter(({ sessionId }) => !live.has(sessionId)));
    }
  }

  return {
    prepare: async ({ userId, sessionId }, inbox) => {
      await listener.start();
      const endsAt = Date.now() + LIFE_MS.from + Math.random() * (LIFE_MS.to - LIFE_MS.from);
      return (sink) => {
        if (!isClosing) timer ??= setInterval(tick, TICK_MS);
        const subscriber = { userId, sessionId, endsAt, sink };
        const unsubscribe = subscribers.add(subscriber);
        subscribers.send(subscriber, ready(inbox));
        if (isClosing) subscribers.finish(subscriber);
        return unsubscribe;
      };
    },
    get count() {
      return subscribers.count;
    },
    get sentCount() {
      return sentCount;
    },
    close: async () => {
      isClosing = true;
      if (timer !== null) clearInterval(timer);
      finishAll(subscribers.all());
      await listener.close();
    },
  };
}
