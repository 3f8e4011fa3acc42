import type { Context } from 'hono';
import type { AccessClaims } from '../auth/tokens.ts';
import { ApiError } from '../contract/errors.ts';
import { bodyOf, type Subscribe } from '../stream/sink.ts';
import type { Streams } from '../stream/streams.ts';

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache, no-store',
  Vary: 'Authorization',
  // nginx would keep events until it had many.
  'X-Accel-Buffering': 'no',
};

/** Answers with a stream, in the way of a runtime. It throws nothing once it has begun to answer. */
export type OpenStream = (
  c: Context,
  headers: Readonly<Record<string, string>>,
  subscribe: Subscribe,
) => Response | Promise<Response>;

/** The way of any runtime. */
export const openBody: OpenStream = (c, headers, subscribe) => c.body(bodyOf(subscribe), 200, headers);

/**
 * Answers with the stream of whom `claims` name.
 * @param inbox what the operation's function said: JSON, which the stream tells first
 * @throws ApiError SERVICE_UNAVAILABLE where signals cannot be listened to
 */
export async function stream(
  c: Context,
  streams: Streams,
  claims: AccessClaims,
  inbox: string,
  open: OpenStream,
): Promise<Response> {
  // Hono answers HEAD as GET and drops the body, without a word to whoever makes it.
  if (c.req.method === 'HEAD') return c.body(null, 200, HEADERS);
  const listening = { userId: claims.sub, sessionId: claims.session_id };
  const subscribe = await streams.prepare(listening, inbox).catch(() => {
    throw new ApiError('SERVICE_UNAVAILABLE');
  });
  return open(c, HEADERS, subscribe);
}
