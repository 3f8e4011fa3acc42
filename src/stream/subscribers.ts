import { COMMENT, RECONNECT } from './frames.ts';
import type { Sink } from './sink.ts';

/** An open stream. */
export interface Subscriber {
  readonly userId: string;
  readonly sessionId: string;
  /** When it ends, in milliseconds of the clock of `Subscribers.tick`. */
  readonly endsAt: number;
  readonly sink: Sink;
}

/** The open streams of this process. */
export interface Subscribers {
  /** @returns removes the subscriber, when its client is gone */
  add(subscriber: Subscriber): () => void;
  /** Returns the streams of one person. */
  of(userId: string): readonly Subscriber[];
  all(): Iterable<Subscriber>;
  send(subscriber: Subscriber, bytes: Uint8Array): void;
  /** Ends a stream cleanly, so that the client reconnects. */
  finish(subscriber: Subscriber): void;
  /** Called once a second. Sends each stream a comment every 15 seconds, and ends those whose time is over. */
  tick(now: number): void;
  readonly count: number;
}

const MAX_BACKLOG_BYTES = 64 * 1024;
const BUCKETS = 15;

/** The limit of streams per person: a further one ends the oldest. */
const MAX_STREAMS = 10;

/** Creates an empty set. It keeps little per stream, because a process holds many thousands. */
export function createSubscribers(): Subscribers {
  const buckets = Array.from({ length: BUCKETS }, () => new Set<Subscriber>());
  const bucketBySubscriber = new Map<Subscriber, Set<Subscriber>>();
  // An array only for people with several streams.
  const byUser = new Map<string, Subscriber | Subscriber[]>();
  let arrivals = 0;
  let ticks = 0;

  const of = (userId: string): readonly Subscriber[] => {
    const own = byUser.get(userId);
    if (own === undefined) return [];
    return Array.isArray(own) ? own : [own];
  };

  function remove(subscriber: Subscriber): void {
    if (!bucketBySubscriber.get(subscriber)?.delete(subscriber)) return;
    bucketBySubscriber.delete(subscriber);
    const [first, ...others] = of(subscriber.userId).filter((other) => other !== subscriber);
    if (first === undefined) byUser.delete(subscriber.userId);
    else byUser.set(subscriber.userId, others.length === 0 ? first : [first, ...others]);
  }

  function send(subscriber: Subscriber, bytes: Uint8Array): void {
    if (!bucketBySubscriber.has(subscriber)) return;
    if (subscriber.sink.backlog() <= MAX_BACKLOG_BYTES) {
      subscriber.sink.write(bytes);
    } else {
      // The client is too slow: it reconnects and reads the inbox.
      remove(subscriber);
      subscriber.sink.cut();
    }
  }

  function finish(subscriber: Subscriber): void {
    if (!bucketBySubscriber.has(subscriber)) return;
    remove(subscriber);
    subscriber.sink.write(RECONNECT);
    subscriber.sink.end();
  }

  return {
    add: (subscriber) => {
      const [oldest, ...newer] = of(subscriber.userId);
      if (oldest !== undefined && newer.length + 1 >= MAX_STREAMS) finish(oldest);
      // Round robin: thousands that reconnect at once must not share one second.
      arrivals += 1;
      const bucket = buckets[arrivals % BUCKETS] ?? new Set();
      bucket.add(subscriber);
      bucketBySubscriber.set(subscriber, bucket);
      const others = of(subscriber.userId);
      byUser.set(subscriber.userId, others.length === 0 ? subscriber : [...others, subscriber]);
      return () => remove(subscriber);
    },
    of,
    all: () => bucketBySubscriber.keys(),
    send,
    finish,
    tick: (now) => {
      ticks += 1;
      for (const subscriber of buckets[ticks % BUCKETS] ?? []) {
        if (now >= subscriber.endsAt) finish(subscriber);
        else send(subscriber, COMMENT);
      }
    },
    get count() {
      return bucketBySubscriber.size;
    },
  };
}
