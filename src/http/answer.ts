import type { Context } from 'hono';
import { ApiError, ERRORS, type ErrorCode, type ErrorDetails } from '../contract/errors.ts';
import type { Operation } from './operation.ts';

/** The headers of every answer in JSON. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  // Answers depend on who asks: no cache may keep one (docs/product.md W19).
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

/** Returns the error envelope as JSON text. */
export function envelopeOf(code: ErrorCode, message: string, details: ErrorDetails): string {
  return JSON.stringify({ success: false, error: { code, message, details } });
}

/** Answers with the error envelope and the headers that belong to its status. */
export function fail(c: Context, error: ApiError): Response {
  const { status, message } = ERRORS[error.code];
  const { retryAfterSeconds = 1 } = error.details;
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (status === 429 || status === 503) c.header('Retry-After', String(retryAfterSeconds));
  return c.body(envelopeOf(error.code, message, error.details), status, JSON_HEADERS);
}

/** The status of requests whose client hung up, in the log and in metrics (nginx's; no client reads it). */
const CLIENT_CLOSED_REQUEST = 499;

/** Answers whatever was thrown: an `ApiError` as it says, a request that its client broke off as 499, all else as a bug. */
export function answerError(error: Error, c: Context): Response {
  if (error instanceof ApiError) return fail(c, error);
  if (isBrokenOff(c)) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
  return fail(c, new ApiError('INTERNAL_ERROR'));
}

/** Whether the client hung up. Of pipelined requests Node aborts the first one's signal only, but fails every body. */
export function isBrokenOff(c: Context): boolean {
  return c.req.raw.signal.aborted || Boolean(c.env?.incoming?.errored);
}
