import { Hono, type MiddlewareHandler } from 'hono';
import { ApiError } from './contract/errors.ts';
import { ROUTES } from './domains/all.ts';
import { answerError, fail } from './http/answer.ts';
import { allowOrigins } from './http/cors.ts';
import { openBody } from './http/event-stream.ts';
import { measureHead } from './http/head.ts';
import { mountHealth } from './http/health.ts';
import { readWebBody } from './http/input.ts';
import { refuseOtherMethods } from './http/methods.ts';
import { mount, type Runtime } from './http/mount.ts';
import type { Variables } from './http/requests.ts';
import { requestId, requestLog, watchRequests } from './http/requests.ts';
import { mountWellKnown } from './http/well-known.ts';
import { DOCUMENTS, openApiDocument } from './openapi/document.ts';
import type { Services } from './services.ts';

/** Creates an app with the health routes only. @param within middleware inside of log and metrics */
export function createHealthApp(
  services: Services,
  ...within: readonly MiddlewareHandler[]
): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  app.use(measureHead, requestId, requestLog(services.log), watchRequests(services.watch), ...within);
  app.onError(answerError);
  app.notFound((c) => fail(c, new ApiError('ROUTE_NOT_FOUND')));
  mountHealth(app, services);
  return app;
}

/**
 * Creates the app with every route of the API. It opens no port and reads no environment.
 * @param runtime the streams, and what differs between runtimes. The defaults open a web stream, read the web body and know
 *   no peer, so that the client address comes from `X-Forwarded-For`.
 * @param within middleware inside of log and metrics
 */
export function createApp(
  services: Services,
  runtime: Pick<Runtime, 'streams'> & Partial<Runtime>,
  ...within: readonly MiddlewareHandler[]
): Hono<{ Variables: Variables }> {
  const app = createHealthApp(services, ...within);
  const { CORS_ORIGINS, PUBLIC_URL } = services.config;
  if (CORS_ORIGINS.length > 0) app.use(allowOrigins(CORS_ORIGINS));
  mountWellKnown(app, services);

  const api = new Hono<{ Variables: Variables }>();
  for (const [name, hasOperation] of Object.entries(DOCUMENTS)) {
    // Bytes, which answers that nobody reads share.
    let document: Uint8Array<ArrayBuffer> | undefined;
    api.get(`/${name}`, (c) => {
      document ??= new TextEncoder().encode(
        JSON.stringify(openApiDocument(ROUTES.filter(hasOperation), PUBLIC_URL)),
      );
      return c.body(document, 200, { 'Content-Type': 'application/json' });
    });
  }
  mount(api, ROUTES, services, {
    findPeer: () => undefined,
    readBody: readWebBody,
    openStream: openBody,
    ...runtime,
  });
  app.route('/api/v1', api);
  refuseOtherMethods(app);
  return app;
}
