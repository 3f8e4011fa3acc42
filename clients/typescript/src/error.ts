import type { FetchResponse } from './platform.ts';
import type { ErrorCode, ErrorEnvelope } from './schema.ts';

/** An error answer of Opine or of a proxy in between. */
export class OpineError extends Error {
  override readonly name = 'OpineError';
  /** The error code; null if the answer is not Opine's. */
  readonly code: ErrorCode | null;
  readonly status: number;
  /** Details of the error; may be empty. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The request id, to quote in a report to the operators. */
  readonly requestId: string | null;
  /** The seconds to wait before a retry; null if the answer has no `Retry-After`. */
  readonly retryAfterSeconds: number | null;

  /** @param body the parsed JSON of the response; undefined if it is not JSON */
  constructor(response: FetchResponse, body: unknown) {
    const error = isEnvelope(body) ? body.error : null;
    super(error?.message ?? `Unexpected answer with status ${response.status}`);
    this.code = error?.code ?? null;
    this.status = response.status;
    this.details = error?.details ?? {};
    this.requestId = response.headers.get('X-Request-Id');
    this.retryAfterSeconds = retryAfterSeconds(response);
  }
}

/**
 * Supabase Realtime refuses the channel of a live session, or its client cannot start. A retry is useless: the project is not
 * set up for Opine, or the app is not set up for the project.
 */
export class RealtimeError extends Error {
  override readonly name = 'RealtimeError';
}

/** Whether `error` is an error answer of Opine with one of these codes, or with any if there are none. */
export function isOpineError<C extends ErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is OpineError & { readonly code: C } {
  if (!(error instanceof OpineError) || error.code === null) return false;
  return codes.length === 0 || (codes as readonly ErrorCode[]).includes(error.code);
}

/** Returns the body of a response. @throws OpineError if the response is an error, or no JSON */
export async function readBody(response: FetchResponse): Promise<unknown> {
  const body = parsed(await response.text());
  if (!response.ok || body === undefined) throw new OpineError(response, body);
  return body;
}

/** Returns the seconds of `Retry-After`, or null. */
export function retryAfterSeconds({ headers }: FetchResponse): number | null {
  const value = headers.get('Retry-After');
  return value !== null && /^\d+$/.test(value) ? Number(value) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(body: unknown): body is ErrorEnvelope {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
