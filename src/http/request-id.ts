import type { MiddlewareHandler } from 'hono';
import type { Variables } from './variables.ts';

const SANE = /^[\w.:=+/-]{1,128}$/;

/** Names each request by the client's `X-Request-Id` where that is a sane one, else anew, and answers with it. */
export const requestId: MiddlewareHandler<{ Variables: Variables }> = async (c, next) => {
  const given = c.req.header('x-request-id');
  const id = given !== undefined && SANE.test(given) ? given : crypto.randomUUID();
  c.set('requestId', id);
  c.header('X-Request-Id', id);
  await next();
};
