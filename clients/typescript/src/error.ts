import type { ErrorCode, ErrorEnvelope } from './schema.ts';

/** A refusal: what Opine answered instead of what was asked for. */
export class OpineError extends Error {
  /** The code of the catalogue; null where the answer is not Opine's, as that of a proxy in between. */
  readonly code: ErrorCode | null;
  readonly status: number;
  /** What the code has to say besides; may be empty. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What to quote to whoever runs the service. */
  readonly requestId: string | null;
  /** How long to wait before the next try, where the answer says it. */
  readonly retryAfterSeconds: number | null;

  /** @param body what came with `response`, read as JSON, or undefined where that is none */
  constructor(response: Response, body: unknown) {
    const error = isEnvelope(body) ? body.error : null;
    super(error?.message ?? `The answer is not Opine's: ${response.status}`);
    this.name = 'OpineError';
    this.code = error?.code ?? null;
    this.status = response.status;
    this.details = error?.details ?? {};
    this.requestId = response.headers.get('X-Request-Id');
    this.retryAfterSeconds = secondsOf(response.headers.get('Retry-After'));
  }
}

/** Supabase Realtime refuses the channel of a live session, and would again: its project is not set up for Opine. */
export class RealtimeError extends Error {
  override readonly name = 'RealtimeError';
}

/** The refusal in `response`, whose body it reads. */
export async function refusalIn(response: Response): Promise<OpineError> {
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
