import { COMMENT, RECONNECT } from './frames.ts';
import type { Sink } from './sink.ts';

/** A stream that is open. */
export interface Subscriber {
  readonly userId: string;
  readonly sessionId: string;
  /** When it is to be followed by another one, by the clock of `Subscribers.beat`: milliseconds. */
  readonly endsAt: number;
  readonly sink: Sink;
}

/** The streams that this process holds. */
export interface Subscribers {
  /** @returns what to call when the client has gone */
  add(subscriber: Subscriber): () => void;
  /** Those of one person. */
  of(userId: string): readonly Subscriber[];
  all(): Iterable<Subscriber>;
  send(subscriber: Subscriber, bytes: Uint8Array): void;
  /** Ends a stream cleanly: the client opens another one, if it may. */
  finish(subscriber: Subscriber): void;
  /** Called once a second: a part of the streams get a comment, each every 15 seconds; those whose time is over end. */
  beat(now: number): void;
  readonly count: number;
}

const MAX_BACKLOG_BYTES = 64 * 1024;
const PARTS = 15;

/** Of one person: the oldest ends for the next. */
const MAX_STREAMS = 10;

/** Keeps as little as can be for each: a process holds many thousands, most of which hear nothing for an hour. */
export function createSubscribers(): Subscribers {
  const parts = Array.from({ length: PARTS }, () => new Set<Subscriber>());
  const partOf = new Map<Subscriber, Set<Subscriber>>();
  // A list for those alone who have several.
  const byUser = new Map<string, Subscriber | Subscriber[]>();
  let arrivals = 0;
  let beats = 0;

  const of = (userId: string): readonly Subscriber[] => {
    const own = byUser.get(userId);
    if (own === undefined) return [];
    return Array.isArray(own) ? own : [own];
  };

  function remove(subscriber: Subscriber): void {
    if (!partOf.get(subscriber)?.delete(subscriber)) return;
    partOf.delete(subscriber);
    const [first, ...others] = of(subscriber.userId).filter((other) => other !== subscriber);
    if (first === undefined) byUser.delete(subscriber.userId);
    else byUser.set(subscriber.userId, others.length === 0 ? first : [first, ...others]);
  }

  function send(subscriber: Subscriber, bytes: Uint8Array): void {
    if (!partOf.has(subscriber)) return;
    if (subscriber.sink.backlog() <= MAX_BACKLOG_BYTES) {
      subscriber.sink.write(bytes);
    } else {
      // Who reads too slowly for so little begins anew, and reads the inbox.
      remove(subscriber);
      subscriber.sink.cut();
    }
  }

  function finish(subscriber: Subscriber): void {
    if (!partOf.has(subscriber)) return;
    remove(subscriber);
    subscriber.sink.write(RECONNECT);
    subscriber.sink.end();
  }

  return {
    add: (subscriber) => {
      const [oldest, ...newer] = of(subscriber.userId);
      if (oldest !== undefined && newer.length + 1 >= MAX_STREAMS) finish(oldest);
      // By turns and not by the time of arrival: thousands that reconnect at once must not share one second.
      arrivals += 1;
      const part = parts[arrivals % PARTS] ?? new Set();
      part.add(subscriber);
      partOf.set(subscriber, part);
      const others = of(subscriber.userId);
      byUser.set(subscriber.userId, others.length === 0 ? subscriber : [...others, subscriber]);
      return () => remove(subscriber);
    },
    of,
    all: () => partOf.keys(),
    send,
    finish,
    beat: (now) => {
      beats += 1;
      for (const subscriber of parts[beats % PARTS] ?? []) {
        if (now >= subscriber.endsAt) finish(subscriber);
        else send(subscriber, COMMENT);
      }
    },
    get count() {
      return partOf.size;
    },
  };
}
