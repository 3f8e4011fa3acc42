import type { ErrorCode, ErrorEnvelope } from './schema.ts';

/** An error answer of Opine or of a proxy in between. */
export class OpineError extends Error {
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
  constructor(response: Response, body: unknown) {
    const error = isEnvelope(body) ? body.error : null;
    super(error?.message ?? `Unexpected answer with status ${response.status}`);
    this.name = 'OpineError';
    this.code = error?.code ?? null;
    this.status = response.status;
    this.details = error?.details ?? {};
    this.requestId = response.headers.get('X-Request-Id');
    this.retryAfterSeconds = secondsOf(response.headers.get('Retry-After'));
  }
}

/** Supabase Realtime refuses the channel of a live session. A retry is useless: the project is not set up for Opine. */
export class RealtimeError extends Error {
  override readonly name = 'RealtimeError';
}

/** Reads the error of a response. */
export async function readError(response: Response): Promise<OpineError> {
  return new OpineError(response, await response.json().catch(() => undefined));
}

function isEnvelope(body: unknown): body is ErrorEnvelope {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}

function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}
