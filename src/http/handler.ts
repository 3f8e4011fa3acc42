import type { Config } from '../config.ts';
import type { Operation } from '../contract/operation.ts';
import type { Services } from '../services.ts';
import type { DeviceKind } from './device-kind.ts';
import type { StaffCookie } from './staff-cookie.ts';

/** What is known of the client beside its bearer. */
export interface Client {
  /** What limits by address count it by, null where they do not count it. */
  readonly address: string | null;
  readonly deviceKind: DeviceKind;
}

/** What a handler is given: the checked arguments, and the way to run its operation's function. */
export interface Call {
  readonly args: object;
  readonly services: Services;
  readonly client: Client;
  readonly staffCookie: StaffCookie;
  /**
   * Runs `api.<id>` with the arguments of the request alone, before the handler looks at what lies outside Postgres. What
   * it answers is for the handler; no Idempotency-Key is taken yet.
   */
  look(): Promise<unknown>;
  /** Runs `api.<id>` with these arguments as the request's caller and returns its data. */
  run(args: object): Promise<unknown>;
}

/** What an operation does around its function: a side effect outside Postgres, or arguments that only the service knows. */
export type Handler = (call: Call) => Promise<unknown>;

/** An operation as the app mounts it. Without a handler its function's answer passes through as it is. */
export interface Route extends Operation {
  readonly handle?: Handler;
  /** What the configuration adds to the arguments of the request. */
  readonly fromConfig?: (config: Config) => object;
}
