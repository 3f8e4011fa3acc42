import type { MiddlewareHandler } from 'hono';

/** Statuses without a body or its length. */
const BODILESS: readonly number[] = [204, 304];

/**
 * Gives HEAD the `Content-Length` of GET. Hono runs the route of GET and drops the body before anything measures it. An event stream
 * has no length.
 */
export const measureHead: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method !== 'HEAD' || BODILESS.includes(c.res.status)) return;
  if (c.res.headers.get('content-type') === 'text/event-stream') return;
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.res.headers.set('Content-Length', String(byteLength));
};
