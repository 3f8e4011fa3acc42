import type { MiddlewareHandler } from 'hono';
import { ERRORS } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import type { Watch } from '../observability/watch.ts';

/** The context variables of a request. */
export interface Variables {
  requestId: string;
  /** The id of the operation, undefined for other routes. */
  operation: string | undefined;
}

const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;

/** Sets the request id and answers with it: the client's `X-Request-Id` if it is well-formed, else a new one. */
export const requestId: MiddlewareHandler<{ Variables: Variables }> = async (c, next) => {
  const given = c.req.header('x-request-id');
  const id = given !== undefined && WELL_FORMED.test(given) ? given : crypto.randomUUID();
  c.set('requestId', id);
  c.header('X-Request-Id', id);
  await next();
};

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
