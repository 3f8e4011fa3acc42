import { Hono } from 'hono';
import { ApiError } from './contract/errors.ts';
import { fail } from './http/answer.ts';
import { openBody } from './http/event-stream.ts';
import { mountHealth } from './http/health.ts';
import { refuseOtherMethods } from './http/methods.ts';
import { mount, type Runtime } from './http/mount.ts';
import { openApiDocument } from './http/openapi.ts';
import { requestId } from './http/request-id.ts';
import { requestLog } from './http/request-log.ts';
import type { Variables } from './http/variables.ts';
import { watchRequests } from './http/watch-requests.ts';
import { mountWellKnown } from './http/well-known.ts';
import { ROUTES } from './operations/all.ts';
import type { Services } from './services.ts';

/** An app that tells how it is, and nothing else. */
export function createHealthApp(services: Services): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  app.use(requestId, requestLog(services.log), watchRequests(services.watch));
  app.onError((error, c) => fail(c, error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR')));
  app.notFound((c) => fail(c, new ApiError('ROUTE_NOT_FOUND')));
  mountHealth(app, services);
  return app;
}

/**
 * The app with every route, on these parts. It listens nowhere and reads no environment.
 * @param runtime the streams that it opens; how, and who opened a request's connection, where that is not as anywhere: a
 *   web stream, and by `X-Forwarded-For` alone
 */
export function createApp(
  services: Services,
  runtime: Pick<Runtime, 'streams'> & Partial<Runtime>,
): Hono<{ Variables: Variables }> {
  const app = createHealthApp(services);
  mountWellKnown(app, services);

  const api = new Hono<{ Variables: Variables }>();
  let document: string | undefined;
  api.get('/openapi.json', (c) => {
    document ??= JSON.stringify(openApiDocument(ROUTES));
    return c.body(document, 200, { 'Content-Type': 'application/json' });
  });
  mount(api, ROUTES, services, { peerOf: () => undefined, openStream: openBody, ...runtime });
  app.route('/api/v1', api);
  refuseOtherMethods(app);
  return app;
}
