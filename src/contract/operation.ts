import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, nothing } from './values.ts';

/**
 * Who may call: nobody is asked for; a bearer is used where it is good; a bearer that comes has to be good; a good bearer
 * is needed; a cookie of staff is needed.
 */
export type Auth = 'none' | 'optional' | 'checked' | 'required' | 'staff';

/** The classes of reads of which a guest may be given an answer that is a few seconds old (decision 018). */
export const STALE_READS = ['feeds', 'profiles', 'search'] as const;

/** One of `STALE_READS`. */
export type StaleRead = (typeof STALE_READS)[number];

/** A parameter of a path that is no UUID. */
export interface Param {
  readonly form: z.ZodType<string>;
  readonly error: ErrorCode;
}

/**
 * One operation of the API as data. From it come the route, the call of `api.<id>`, the OpenAPI document and the
 * tests that hold for every operation.
 */
export interface Operation {
  /** Names the function `api.<id>(p_args jsonb)` and the OpenAPI operation. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/api/v1`, parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  /** The level that its function requires (docs/product.md L1): told here, held there. */
  readonly level?: 1 | 2 | 3 | 4;
  /** The path's parameters, with the error for one that has not its form: each is a UUID unless `form` says otherwise. */
  readonly params?: Readonly<Record<string, ErrorCode | Param>>;
  readonly query?: z.ZodObject;
  /** Without one the operation accepts no body, or `{}`. */
  readonly body?: z.ZodObject;
  /** The most bytes that the body may have, where it is not the usual mebibyte. */
  readonly bodyLimit?: number;
  readonly data: z.ZodType;
  readonly status: 200 | 201;
  /** Answers with a stream of events, the first of which has `data`. */
  readonly isStream?: true;
  /** Answers as a file of this name, to be kept. */
  readonly fileName?: string;
  /** Makes something, though its status is 200. */
  readonly creates?: true;
  /** The envelope's text for people. */
  readonly message: string;
  /** What it raises beyond the errors that its shape implies: see `errorsOf`. */
  readonly errors?: readonly ErrorCode[];
  readonly example: { readonly body?: unknown; readonly data: unknown };
  /**
   * Which way through the gateway: `caller` unless said; `service` runs what only the service may vouch for;
   * `serializable` writes under SERIALIZABLE and answers with a read after the commit; `none` asks nothing of Postgres.
   */
  readonly gateway?: 'service' | 'serializable' | 'none';
  /** What a replica may answer to guests, where it is configured to: only a GET that writes nothing. */
  readonly reads?: StaleRead;
}

/** Whether an `Idempotency-Key` is honoured: on every POST that creates, but for sign-in and votes (docs/product.md W16). */
export function honoursIdempotencyKey({ method, status, creates, gateway }: Operation): boolean {
  return method === 'post' && (status === 201 || creates === true) && gateway !== 'serializable';
}

/** Whether an operation may hold locks in Postgres: every method but GET. */
export function isWrite({ method }: Operation): boolean {
  return method !== 'get';
}

/** The schema that a request's body must fit; no body counts as `{}`. */
export function bodySchemaOf({ body }: Operation): z.ZodObject {
  return body ?? nothing;
}

/** What a parameter's value must be, and the error for one that is not. */
export function paramOf(param: ErrorCode | Param): Param {
  return typeof param === 'string' ? { form: id, error: param } : param;
}

/** Every operation checks the body that it is sent, even to refuse it. */
const OF_EVERY_OPERATION = [
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

/** Every error an operation can answer: its own, and those that its shape implies. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const errors = new Set<ErrorCode>(operation.errors);
  if (operation.auth !== 'none' && operation.auth !== 'optional') errors.add('UNAUTHORIZED');
  if ((operation.level ?? 1) > 1) errors.add('FORBIDDEN');
  // To another site's page at least.
  if (operation.auth === 'staff' && operation.method !== 'get') errors.add('FORBIDDEN');
  for (const param of Object.values(operation.params ?? {})) errors.add(paramOf(param).error);
  if (honoursIdempotencyKey(operation)) errors.add('IDEMPOTENCY_KEY_CONFLICT');
  for (const code of OF_EVERY_OPERATION) errors.add(code);
  return [...errors];
}
