import { Hono } from 'hono';
import { mountBucketRoutes } from './bucket-routes.ts';
import { internalError, routeNotFound } from './errors.ts';
import { rawPath, type StorageEnv } from './http.ts';
import { mountManageRoutes } from './manage-routes.ts';
import type { StorageParts } from './parts.ts';
import { mountReadRoutes } from './read-routes.ts';
import { StorageError } from './storage-error.ts';
import { mountWriteRoutes } from './write-routes.ts';

/** The service's routes, below `/storage/v1`, with its errors in Supabase Storage's shape. */
export function createStorageApp(parts: StorageParts): Hono<StorageEnv> {
  const app = new Hono<StorageEnv>({ getPath: rawPath }).basePath('/storage/v1');
  mountBucketRoutes(app, parts);
  // In this order: a path that begins with a fixed word would otherwise name an object of a bucket called so.
  mountManageRoutes(app, parts);
  mountReadRoutes(app, parts);
  mountWriteRoutes(app, parts);
  app.notFound((c) => c.json(routeNotFound(`${c.req.method}:${c.req.path}`).body(), 404));
  app.onError((error, c) => {
    const known = error instanceof StorageError ? error : unexpected(error, c.env.incoming.errored !== null);
    return c.json(known.body(), known.httpStatus);
  });
  return app;
}

function unexpected(error: Error, isCutOff: boolean): StorageError {
  if (!isCutOff) {
    process.stderr.write(`storage: ${error.stack}\n`);
  }
  return internalError();
}
