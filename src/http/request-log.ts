import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import type { Variables } from './variables.ts';

/**
 * Logs each answered request, with its operation only: paths, queries, headers and bodies may hold tokens and personal
 * data.
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
