import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { z } from 'zod';
import { collect } from './bytes.ts';
import { accessDenied, bodyTooLarge, invalidRequest } from './errors.ts';
import { checkBucketName, type ObjectName } from './names.ts';

const MAX_JSON_BYTES = 1024 * 1024;

/** The environment of every route here. */
export interface StorageEnv {
  Bindings: HttpBindings;
}

/** One request on its way to its answer. */
export type StorageContext = Context<StorageEnv>;

/**
 * The path as the client sent it. A parsed URL has its dot segments resolved, so that
 * a request for one object could become a request for another.
 */
export function rawPath(_request: Request, options?: { env?: HttpBindings }): string {
  return (options?.env?.incoming.url ?? '/').replace(/[?#].*$/, '');
}

/** The `:bucket` of the route; raises where it cannot be one's name. */
export function bucketOf(c: StorageContext): string {
  const bucket = c.req.param('bucket') ?? '';
  checkBucketName(bucket);
  return bucket;
}

/** The `:bucket` and `:key` of the route. The key is not checked: a look-up need not, a write must. */
export function objectNameOf(c: StorageContext): ObjectName {
  return { bucket: bucketOf(c), key: c.req.param('key') ?? '' };
}

/** The `token` of a signed URL; raises where it is missing. */
export function tokenOf(c: StorageContext): string {
  const token = c.req.query('token');
  if (token === undefined) {
    throw invalidRequest("querystring must have required property 'token'", 'Error');
  }
  return token;
}

/**
 * What `read` makes of the request's bytes. However that ends, the rest of them can then be dropped, and the
 * connection serves on: a request that is destroyed, or still listened to, takes it along with the answer.
 */
export async function readBytes<T>(
  c: StorageContext,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const bytes = c.env.incoming.iterator({ destroyOnReturn: false });
  try {
    return await read(bytes);
  } finally {
    await bytes.return?.();
  }
}

/** The JSON body, as `schema` has it; raises where it is not. */
export async function bodyOf<T>(c: StorageContext, schema: z.ZodType<T>): Promise<T> {
  const result = schema.safeParse(await jsonOf(c));
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const place = ['body', ...(issue?.path ?? [])].join('/');
  throw invalidRequest(`${place} ${issue?.message}`, 'Error');
}

/** Whether the caller holds the secret key. As at Supabase's gateway, a bearer counts before an `apikey`. */
export function isService(c: StorageContext, secretKey: string): boolean {
  const credential = credentialOf(c);
  return credential !== undefined && timingSafeEqual(digest(credential), digest(secretKey));
}

/** Raises unless the caller holds the secret key. */
export function requireService(c: StorageContext, secretKey: string): void {
  if (credentialOf(c) === undefined) {
    throw invalidRequest("headers must have required property 'authorization'", 'Error');
  }
  if (!isService(c, secretKey)) {
    throw accessDenied('Invalid Compact JWS');
  }
}

function credentialOf(c: StorageContext): string | undefined {
  return c.req.header('authorization')?.replace(/^Bearer\s+/i, '') ?? c.req.header('apikey');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function jsonOf(c: StorageContext): Promise<unknown> {
  if (!c.req.header('content-type')?.startsWith('application/json')) {
    return undefined;
  }
  const body = await readBytes(c, (bytes) => collect(bytes, MAX_JSON_BYTES));
  if (body === undefined) {
    throw bodyTooLarge();
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidRequest('Body is not valid JSON', 'SyntaxError');
  }
}
