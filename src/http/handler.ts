import type { Operation } from '../contract/operation.ts';
import type { Services } from '../services.ts';

/** What a handler is given: the checked arguments, and the way to run its operation's function. */
export interface Call {
  readonly args: object;
  readonly services: Services;
  /** Runs `api.<id>` with these arguments as the request's caller and returns its data. */
  run(args: object): Promise<unknown>;
}

/** What an operation does around its function: a side effect outside Postgres, or arguments that only the service knows. */
export type Handler = (call: Call) => Promise<unknown>;

/** An operation as the app mounts it. Without a handler its function's answer passes through as it is. */
export interface Route extends Operation {
  readonly handle?: Handler;
}
