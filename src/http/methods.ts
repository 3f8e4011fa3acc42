import type { Hono } from 'hono';
import { ApiError } from '../contract/errors.ts';
import type { Variables } from './requests.ts';

/** Answers 405 with `Allow` to all other methods of the paths that `app` has so far. */
export function refuseOtherMethods(app: Hono<{ Variables: Variables }>): void {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    // Hono answers HEAD with the route of GET.
    const allowed = ofPath
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .join(', ');
    app.all(path, (c) => {
      c.header('Allow', allowed);
      throw new ApiError('METHOD_NOT_ALLOWED');
    });
  }
}
