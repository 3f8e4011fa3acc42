/** A request that was answered. */
export interface Answered {
  /** The id of the operation that served it; undefined where none did. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** What came of a message to a device: `failure` is a code. */
export interface Pushed {
  readonly outcome: string;
  readonly failure?: string;
}

/** How the connections of one pool are used. */
export interface PoolUse {
  readonly pool: string;
  /** The most there may be. */
  readonly limit: number;
  readonly total: number;
  readonly idle: number;
  /** How many statements wait for one. */
  readonly waiting: number;
}

/**
 * The outcome of a read that a replica may answer. `passed`: it refused the request, or the read conflicted with replication;
 * `failed`: it is unreachable, too far behind or broken; `resting`: the circuit is open. The primary answers all but
 * `answered`.
 */
export type ReplicaRead = 'answered' | 'passed' | 'failed' | 'resting';

/** Counts what the service does. No argument names a person, a post or a position. */
export interface Meters {
  answered(request: Answered): void;
  /** A statement by a connection of `pool` lost a race, for this SQLSTATE, and is run again. */
  retried(pool: string, sqlstate: string): void;
  replicaRead(outcome: ReplicaRead): void;
  pushed(result: Pushed): void;
  taskRun(task: string, seconds: number, hasFailed: boolean): void;
}

/** A piece of work as traces show it. */
export interface Span {
  /** Names it anew, now that more is known of it. */
  rename(name: string): void;
  describe(attributes: Readonly<Record<string, string | number>>): void;
  /** Says that it was in vain, and not why. */
  fail(): void;
}

/** Shows in traces how long work took, and within what. No text of SQL, no parameter and nobody's id comes into them. */
export interface Tracer {
  /**
   * Runs `work` as a span within that in which it was called.
   * @param headers of a request, where that is the work: they may say by `traceparent` in whose trace it is
   * @returns what `work` does, and throws what it throws
   */
  within<T>(name: string, work: (span: Span) => Promise<T>, headers?: Headers): Promise<T>;
}

/** Who watches the service. */
export interface Watch {
  readonly meters: Meters;
  readonly tracer: Tracer;
}

const NO_SPAN: Span = { rename: () => {}, describe: () => {}, fail: () => {} };

/** Nobody. */
export const UNWATCHED: Watch = {
  meters: {
    answered: () => {},
    retried: () => {},
    replicaRead: () => {},
    pushed: () => {},
    taskRun: () => {},
  },
  tracer: { within: (_name, work) => work(NO_SPAN) },
};
