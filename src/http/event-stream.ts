import type { Context } from 'hono';
import type { AccessClaims } from '../auth/tokens.ts';
import { ApiError } from '../contract/errors.ts';
import { createStreamBody, type Subscribe } from '../stream/sink.ts';
import type { Streams } from '../stream/streams.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache, no-store',
  Vary: 'Authorization',
  // Disables nginx's buffering, which would delay events.
  'X-Accel-Buffering': 'no',
};

/** Answers with an event stream, as the runtime supports it. Throws nothing after the answer has begun. */
export type OpenStream = (
  c: Context,
  headers: Readonly<Record<string, string>>,
  subscribe: Subscribe,
) => Response | Promise<Response>;

/** Answers with a web stream, which every runtime supports. */
export const openBody: OpenStream = (c, headers, subscribe) =>
  c.body(createStreamBody(subscribe), 200, headers);

/**
 * Answers with the event stream of a session.
 * @param inbox JSON of the inbox state, for the first event
 * @throws ApiError SERVICE_UNAVAILABLE if the listener cannot connect
 */
export async function stream(
  c: Context,
  streams: Streams,
  claims: AccessClaims,
  inbox: string,
  open: OpenStream,
): Promise<Response> {
  // Hono answers HEAD as GET and drops the body without cancelling it, so a stream would stay open.
  if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
  const listening = { userId: claims.sub, sessionId: claims.session_id };
  const subscribe = await streams.prepare(listening, inbox).catch(() => {
    throw new ApiError('SERVICE_UNAVAILABLE');
  });
  return open(c, HEADERS, subscribe);
}
