import type { Gateway } from '../db/gateway.ts';
import { createListener } from '../db/listener.ts';
import { notification, ready } from './frames.ts';
import type { Subscribe } from './sink.ts';
import { createSubscribers, type Subscriber } from './subscribers.ts';

const BEAT_MS = 1_000;
const BEATS_A_CHECK = 5;
const SESSIONS_A_CHECK = 5_000;
const MAX_BATCH = 500;
// Within which signals are told together.
const GATHER_MS = 20;
// Before 55 minutes (docs/product.md N19), and not all at once.
const LIFE_MS = { from: 45 * 60_000, to: 54 * 60_000 };

/** Whose stream it is. */
export interface Listening {
  readonly userId: string;
  readonly sessionId: string;
}

/** Streams of signals (docs/product.md N18): each signal is asked for anew before it is told. */
export interface Streams {
  /**
   * Gets ready for another stream.
   * @param inbox JSON of how the inbox is: what the stream tells first
   * @returns what to open it with
   * @throws where the database cannot be listened to
   */
  prepare(listening: Listening, inbox: string): Promise<Subscribe>;
  /** How many this process holds. */
  readonly count: number;
  /** How many signals it has told. */
  readonly sentCount: number;
  /** Ends every stream cleanly, and opens no other for long. */
  close(): Promise<void>;
}

/** What streams are made of. */
export interface StreamsOptions {
  readonly gateway: Pick<Gateway, 'openSignals' | 'liveSessions'>;
  /** Connection URL that keeps a session. */
  readonly listenUrl: string;
}

/** Holds nothing and connects to nothing until the first stream is prepared. */
export function createStreams({ gateway, listenUrl }: StreamsOptions): Streams {
  const subscribers = createSubscribers();
  const listener = createListener({
    url: listenUrl,
    onPayload: gather,
    // Who is told to reconnect reads the inbox then.
    onGap: () => finishAll(subscribers.all()),
  });
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let beats = 0;
  let sentCount = 0;
  let isTelling = false;
  let isClosing = false;

  function finishAll(ended: Iterable<Subscriber>): void {
    for (const subscriber of [...ended]) subscribers.finish(subscriber);
  }

  /** Takes note of who is to be told of what: `recipient notification`, several separated by commas. */
  function gather(payload: string): void {
    for (const pair of payload.split(',')) {
      const [userId = '', notificationId = ''] = pair.split(' ');
      if (subscribers.of(userId).length === 0) continue;
      waiting.set(notificationId, userId);
    }
    if (waiting.size === 0 || isTelling) return;
    isTelling = true;
    setTimeout(tellAll, GATHER_MS);
  }

  /** One query at a time, however much comes: requests need the connections as well, and no signal overtakes another. */
  async function tellAll(): Promise<void> {
    while (waiting.size > 0) {
      const signals = [...waiting.entries().take(MAX_BATCH)];
      for (const [notificationId] of signals) waiting.delete(notificationId);
      await tell(signals);
    }
    isTelling = false;
  }

  async function tell(signals: readonly (readonly [string, string])[]): Promise<void> {
    const asked = [...new Set(signals.map(([, userId]) => userId))].flatMap((userId) => [
      ...subscribers.of(userId),
    ]);
    const bySession = Map.groupBy(asked, ({ sessionId }) => sessionId);
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
      // What they were to be told is unknown: they read the inbox instead.
      finishAll(asked);
    }
  }

  function beat(): void {
    subscribers.beat(Date.now());
    beats += 1;
    if (beats % BEATS_A_CHECK === 0) void checkSessions();
  }

  async function checkSessions(): Promise<void> {
    const all = [...subscribers.all()];
    for (let first = 0; first < all.length; first += SESSIONS_A_CHECK) {
      const checked = all.slice(first, first + SESSIONS_A_CHECK);
      // Where it cannot be asked nothing is told either, and it is asked again soon.
      const live = await gateway.liveSessions(checked.map(({ sessionId }) => sessionId)).catch(() => null);
      if (live !== null) finishAll(checked.filter(({ sessionId }) => !live.has(sessionId)));
    }
  }

  return {
    prepare: async ({ userId, sessionId }, inbox) => {
      await listener.start();
      const endsAt = Date.now() + LIFE_MS.from + Math.random() * (LIFE_MS.to - LIFE_MS.from);
      return (sink) => {
        if (!isClosing) timer ??= setInterval(beat, BEAT_MS);
        const subscriber = { userId, sessionId, endsAt, sink };
        const leave = subscribers.add(subscriber);
        subscribers.send(subscriber, ready(inbox));
        if (isClosing) subscribers.finish(subscriber);
        return leave;
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
