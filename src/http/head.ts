import type { MiddlewareHandler } from 'hono';

/**
 * Gives HEAD the `Content-Length` of GET. Hono runs the route of GET and drops the body before anything measures it. An answer without a
 * body (a redirect, a 304, the head of a stream) has no length.
 */
export const measureHead: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.method !== 'HEAD' || c.res.body === null) return;
  const { byteLength } = await c.res.clone().arrayBuffer();
  c.res.headers.set('Content-Length', String(byteLength));
};
