import type { Context } from 'hono';
import { type ApiError, ERRORS } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';

const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  // Answers depend on who asks: no cache may keep one (spec.md "Privacy rules" asks it of post cards).
  'Cache-Control': 'private, no-cache, no-store',
  Vary: 'Authorization',
};

/** Answers with the success envelope; `json` is the data as Postgres wrote it, neither parsed nor rebuilt. */
export function succeed(
  c: Context,
  { status, message, fileName }: Pick<Operation, 'status' | 'message' | 'fileName'>,
  json: string,
): Response {
  if (fileName !== undefined) c.header('Content-Disposition', `attachment; filename="${fileName}"`);
  return c.body(`{"success":true,"message":${JSON.stringify(message)},"data":${json}}`, status, JSON_HEADERS);
}

/** Answers with the error envelope and the headers that belong to its status. */
export function fail(c: Context, error: ApiError): Response {
  const { status, message } = ERRORS[error.code];
  const { retryAfterSeconds = 1 } = error.details;
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (status === 429 || status === 503) c.header('Retry-After', String(retryAfterSeconds));
  const envelope = { success: false, error: { code: error.code, message, details: error.details } };
  return c.body(JSON.stringify(envelope), status, JSON_HEADERS);
}
