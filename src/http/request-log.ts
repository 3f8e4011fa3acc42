import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import type { Variables } from './variables.ts';

/**
 * Logs each request when it is answered. Of the request it names the operation alone: paths and queries may hold
 * tokens and names, headers and bodies hold worse.
 */
export function requestLog(log: Log): MiddlewareHandler<{ Variables: Variables }> {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    const { status } = c.res;
    log[status >= ERRORS.INTERNAL_ERROR.status ? 'error' : 'info'](
      {
        requestId: c.get('requestId'),
        operation: c.get('operation'),
        method: c.req.method,
        status,
        milliseconds: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(c.error && { err: c.error }),
      },
      'request',
    );
  };
}
