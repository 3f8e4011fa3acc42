import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { POSITION_HEADER } from './position.ts';

const STAFF = /^(\/api\/v1)?\/admin(\/|$)/;

/**
 * Allows web pages of these origins to call the API, without credentials. Staff routes stay closed, because they use a cookie.
 * @param origins origins as browsers send them; `http://localhost:*` stands for every port
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  const allowed = new Set(origins);
  const isAllowed = (origin: string) =>
    !origin.includes('*') && (allowed.has(origin) || allowed.has(origin.replace(/(:\d+)?$/, ':*')));
  const allow = cors({
    origin: (origin) => (isAllowed(origin) ? origin : null),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id', POSITION_HEADER],
    exposeHeaders: ['X-Request-Id', 'Retry-After', 'Idempotency-Replayed', POSITION_HEADER],
    // The longest that browsers keep a preflight (Chromium).
    maxAge: 7200,
  });
  return async (c, next) => {
    // Hono treats every OPTIONS as a preflight; only a browser's preflight has this header.
    const isPlainOptions = c.req.method === 'OPTIONS' && !c.req.header('access-control-request-method');
    if (isPlainOptions || STAFF.test(c.req.path)) await next();
    else return allow(c, next);
  };
}
