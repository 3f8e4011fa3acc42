import type { z } from 'zod';
import type { Config } from '../config.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { id, nothing } from '../contract/values.ts';
import type { ApiFunction } from '../db/types.ts';
import type { Services } from '../services.ts';
import type { DeviceKind } from './client.ts';
import type { StaffCookie } from './staff-cookie.ts';

/**
 * The callers of an operation. `none`: everybody, any bearer is ignored. `optional`: a bad bearer counts as a guest. `checked`:
 * a guest may call, a bad bearer is refused. `required`: a good bearer. `staff`: a staff cookie.
 */
export type Auth = 'none' | 'optional' | 'checked' | 'required' | 'staff';

/** A path parameter that is no UUID. */
export interface Param {
  readonly form: z.ZodType<string>;
  readonly error: ErrorCode;
}

/** What is known of a client besides its bearer. */
export interface Client {
  /** The address that rate limits count; null for an unknown or exempt address. */
  readonly address: string | null;
  readonly deviceKind: DeviceKind;
}

/** A request as a handler sees it. */
export interface Call {
  readonly args: object;
  readonly services: Services;
  readonly client: Client;
  readonly staffCookie: StaffCookie;
  /** Runs `api.<id>` with the request's arguments and returns its data. It takes no Idempotency-Key, so it may only read. */
  look(): Promise<unknown>;
  /** Runs `api.<id>` with these arguments and returns its data. */
  run(args: object): Promise<unknown>;
}

/** Wraps an operation's function: for a side effect outside Postgres, or arguments that only the service knows. */
export type Handler = (call: Call) => Promise<unknown>;

/**
 * An operation of the API. Its row gives the route, the call of `api.<id>`, the OpenAPI document, and the tests that hold
 * for every operation.
 */
export type Operation = Row & (RowOfPostgres | RowOfService);

interface Row {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path below `/api/v1`, with parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly auth: Auth;
  /** The level that the function requires (docs/product.md L1): documented here, enforced in Postgres. */
  readonly level?: 1 | 2 | 3 | 4;
  /** The path parameters, each with the error for a malformed one. A bare error code stands for a UUID. */
  readonly params?: Readonly<Record<string, ErrorCode | Param>>;
  readonly query?: z.ZodObject;
  /** Without a schema, the operation accepts no body or `{}`. */
  readonly body?: z.ZodObject;
  /** The size limit of the body in bytes, 1 MiB by default. */
  readonly bodyLimit?: number;
  readonly data: z.ZodType;
  readonly status: 200 | 201;
  /** The answer is an event stream: its first event holds `data`, each later one this. */
  readonly eventPayload?: z.ZodType;
  /** The answer is a download with this file name. */
  readonly fileName?: string;
  /** The operation creates something although its status is 200. */
  readonly creates?: true;
  /** The text for people in the success envelope. */
  readonly message: string;
  /** The errors that its shape does not imply: see `listErrors`. */
  readonly errors?: readonly ErrorCode[];
  readonly example: { readonly body?: unknown; readonly data: unknown };
  /**
   * The primary alone answers this GET. Some count a use of the caller, which is a write. Others are read right after a signal, or
   * after an answer of another server, and have to show what it named.
   */
  readonly isNeverStale?: true;
  /** Guests are limited by their address. */
  readonly limitsGuests?: true;
  /** A POST that reads, because its arguments are too long for a path. */
  readonly onlyReads?: true;
  /** A write that takes no right from anybody, so that its answer need not wait for replicas. */
  readonly revokesAccess?: false;
  /** Without a handler, the function's answer passes through unparsed. */
  readonly handle?: Handler;
  /** Arguments from the configuration. */
  readonly fromConfig?: (config: Config) => object;
}

interface RowOfPostgres {
  /** The function `api.<id>(p_args jsonb)`, and the operationId. */
  readonly id: ApiFunction;
  /**
   * How Postgres runs it: as the caller by default; as the `service`, which vouches for the arguments; or `serializable`,
   * with the answer read after the commit.
   */
  readonly gateway?: 'service' | 'serializable';
}

interface RowOfService {
  /** The operationId. */
  readonly id: string;
  /** The handler answers alone. */
  readonly gateway: 'none';
}

/**
 * Whether an operation honours an `Idempotency-Key`: a POST that creates, except sign-in and votes (docs/product.md W16). Answers
 * are kept for a user, so an operation without a bearer keeps none.
 */
export function honoursIdempotencyKey({ method, status, creates, gateway, auth }: Operation): boolean {
  const isCreation = method === 'post' && (status === 201 || creates === true);
  return isCreation && gateway !== 'serializable' && auth !== 'none';
}

/** Returns the hash by which rate limits count the client's address, or null where addresses do not count. */
export function hashAddress({ client, services }: Pick<Call, 'client' | 'services'>): string | null {
  return client.address === null ? null : services.secrets.hashAddress(client.address);
}

/** Whether an operation may write, and wait for locks: all but GET, and POST with `onlyReads`. */
export function isWrite({ method, onlyReads }: Operation): boolean {
  return method !== 'get' && !onlyReads;
}

/** Whether a replica may answer an operation. */
export function mayBeStale(operation: Operation): boolean {
  const { auth, gateway, eventPayload, isNeverStale } = operation;
  return !(isWrite(operation) || auth === 'staff' || gateway !== undefined || eventPayload || isNeverStale);
}

/** Returns the schema of the body; an absent body counts as `{}`. */
export function toBodySchema({ body }: Operation): z.ZodObject {
  return body ?? nothing;
}

/** Returns the form of a path parameter and the error for a malformed one. */
export function expandParam(param: ErrorCode | Param): Param {
  return typeof param === 'string' ? { form: id, error: param } : param;
}

/** Errors that every operation may answer. */
const COMMON_ERRORS = [
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
] as const;

/** Errors of `?hubId=`, which answers as the Hub's own routes do (docs/product.md H7). */
const HUB_ERRORS = ['UNAUTHORIZED', 'FORBIDDEN', 'HUB_NOT_FOUND'] as const;

/** Returns every error that an operation may answer: its own, and those that its shape implies. */
export function listErrors(operation: Operation): ErrorCode[] {
  const errors = new Set<ErrorCode>(operation.errors);
  if (operation.auth !== 'none' && operation.auth !== 'optional') errors.add('UNAUTHORIZED');
  if ((operation.level ?? 1) > 1) errors.add('FORBIDDEN');
  if (operation.query?.shape.hubId !== undefined) for (const code of HUB_ERRORS) errors.add(code);
  // Cross-site requests are refused.
  if (operation.auth === 'staff' && operation.method !== 'get') errors.add('FORBIDDEN');
  for (const param of Object.values(operation.params ?? {})) errors.add(expandParam(param).error);
  if (honoursIdempotencyKey(operation)) errors.add('IDEMPOTENCY_KEY_CONFLICT');
  for (const code of COMMON_ERRORS) errors.add(code);
  return [...errors];
}
