import type { Context } from 'hono';
import {
  ApiError,
  ERRORS,
  type ErrorCode,
  type ErrorDetails,
  type Issue,
  invalid,
} from '../contract/errors.ts';
import type { Operation } from './operation.ts';

/** The headers of every JSON answer. */
const JSON_HEADERS = {
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
  // Answers depend on the caller, so no cache may store them (docs/product.md W19).
  'Cache-Control': 'private, no-cache, no-store',
  Vary: 'Authorization',
};

/** Answers with the success envelope. @param json the data as JSON text, which is not parsed again */
export function succeed(
  c: Context,
  { status, message, fileName }: Pick<Operation, 'status' | 'message' | 'fileName'>,
  json: string,
): Response {
  if (fileName !== undefined) c.header('Content-Disposition', `attachment; filename="${fileName}"`);
  return c.body(`{"success":true,"message":${JSON.stringify(message)},"data":${json}}`, status, JSON_HEADERS);
}

/** Returns the error envelope as JSON text. */
export function errorEnvelope(code: ErrorCode, message: string, details: ErrorDetails): string {
  return JSON.stringify({ success: false, error: { code, message, details } });
}

/** Answers with the error envelope and the headers of its status. */
export function fail(c: Context, error: ApiError): Response {
  const { status, message } = ERRORS[error.code];
  const { retryAfterSeconds = 1 } = error.details;
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (status === 429 || status === 503) c.header('Retry-After', String(retryAfterSeconds));
  return c.body(errorEnvelope(error.code, message, error.details), status, JSON_HEADERS);
}

/** The status in log and metrics of requests whose client hung up, as in nginx. No client receives it. */
const CLIENT_CLOSED_REQUEST = 499;

/** Answers a thrown error: an `ApiError` by its code, a client's hang-up with 499, anything else as a bug with 500. */
export function answerError(error: Error, c: Context): Response {
  if (error instanceof ApiError) return fail(c, error);
  if (hasHungUp(c)) return new Response(null, { status: CLIENT_CLOSED_REQUEST });
  return fail(c, new ApiError('INTERNAL_ERROR'));
}

/** Whether the client hung up. For pipelined requests, Node aborts only the first signal, but fails every body. */
export function hasHungUp(c: Context): boolean {
  return c.req.raw.signal.aborted || Boolean(c.env?.incoming?.errored);
}

/** The answer to a request that never reaches the app. */
export interface UnparsedAnswer {
  readonly status: number;
  readonly requestId: string;
  /** The code of Node's error. */
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers by the code of Node's error. */
const REFUSALS: Readonly<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'PAYLOAD_TOO_LARGE', 'The request header is too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'VALIDATION_FAILED', 'The request took too long to arrive.'],
};

/** Returns the answer to a request that Node could not parse. @param code the code of Node's error */
export function parserRefusal(code = 'ERR_INVALID_REQUEST'): UnparsedAnswer {
  const [status, name, message] = REFUSALS[code] ?? [
    400,
    'VALIDATION_FAILED',
    'The request is not valid HTTP.',
  ];
  const issue: Issue = { path: [], code: 'malformed_request', message };
  const details = name === 'VALIDATION_FAILED' ? invalid(issue).details : {};
  const requestId = crypto.randomUUID();
  const headers = { ...JSON_HEADERS, 'X-Request-Id': requestId };
  return { status, requestId, reason: code, headers, body: errorEnvelope(name, message, details) };
}
