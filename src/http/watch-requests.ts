import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../contract/errors.ts';
import type { Watch } from '../observability/watch.ts';
import type { Variables } from './variables.ts';

/** Counts and traces each request by its operation. Paths may hold tokens, so they are not recorded. */
export function watchRequests({ meters, tracer }: Watch): MiddlewareHandler<{ Variables: Variables }> {
  return (c, next) =>
    tracer.within(
      'request',
      async (span) => {
        const startedAt = performance.now();
        await next();
        const { method } = c.req;
        const { status } = c.res;
        const operation = c.get('operation');
        meters.answered({ operation, method, status, seconds: (performance.now() - startedAt) / 1000 });
        if (operation !== undefined) span.rename(operation);
        span.describe({
          'http.request.method': method,
          'http.response.status_code': status,
          'opine.request_id': c.get('requestId'),
        });
        if (status >= ERRORS.INTERNAL_ERROR.status) span.fail();
      },
      c.req.raw.headers,
    );
}
