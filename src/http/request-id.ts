import type { MiddlewareHandler } from 'hono';
import type { Variables } from './variables.ts';

const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;

/** Sets the request id and answers with it: the client's `X-Request-Id` if it is well-formed, else a new one. */
export const requestId: MiddlewareHandler<{ Variables: Variables }> = async (c, next) => {
  const given = c.req.header('x-request-id');
  const id = given !== undefined && WELL_FORMED.test(given) ? given : crypto.randomUUID();
  c.set('requestId', id);
  c.header('X-Request-Id', id);
  await next();
};
