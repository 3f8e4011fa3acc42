/** An answered request. */
export interface Answered {
  /** The id of the operation, undefined for other routes. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** The result of a push message. `failure` is a code. */
export interface Pushed {
  readonly outcome: string;
  readonly failure?: string;
}

/** The use of a pool's connections. */
export interface PoolUse {
  readonly pool: string;
  /** The maximum number of connections. */
  readonly limit: number;
  readonly total: number;
  readonly idle: number;
  /** Statements waiting for a connection. */
  readonly waiting: number;
}

/**
 * The outcome of a read that a replica may answer. `behind`: it lacks a write of the caller; `passed`: it refused the request,
 * or the read conflicted with replication; `failed`: it is unreachable, too far behind or broken; `open`: every circuit is open.
 * The primary answers all but `answered`.
 */
export type ReplicaRead = 'answered' | 'behind' | 'passed' | 'failed' | 'open';

/** Counts what the service does. No argument names a person, a post or a position. */
export interface Meters {
  answered(request: Answered): void;
  /** Counts the retry of a statement that lost a race with this SQLSTATE. */
  retried(pool: string, sqlstate: string): void;
  replicaRead(outcome: ReplicaRead): void;
  pushed(result: Pushed): void;
  taskRun(task: string, seconds: number, hasFailed: boolean): void;
}

/** A span of a trace. */
export interface Span {
  rename(name: string): void;
  describe(attributes: Readonly<Record<string, string | number>>): void;
  /** Marks the span as failed, without a reason. */
  fail(): void;
}

/** Traces work. Traces contain no SQL, no parameters and no ids of people. */
export interface Tracer {
  /**
   * Runs `work` in a span, a child of the current one. Returns its result and rethrows its errors.
   * @param headers of the request that `work` serves; their `traceparent` names the parent span
   */
  within<T>(name: string, work: (span: Span) => Promise<T>, headers?: Headers): Promise<T>;
}

/** Metrics and traces of the service. */
export interface Watch {
  readonly meters: Meters;
  readonly tracer: Tracer;
}

const NO_SPAN: Span = { rename: () => {}, describe: () => {}, fail: () => {} };

/** Counts and traces nothing. */
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
