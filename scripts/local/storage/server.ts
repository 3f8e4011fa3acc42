import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { BucketDeclaration } from './buckets.ts';
import { StorageError } from './errors.ts';
import {
  type ObjectHeaders,
  type ObjectName,
  type Objects,
  openObjects,
  type StoredObject,
} from './objects.ts';
import { createTokenVerifier, type VerifyToken } from './tokens.ts';

/** The options of a local storage. */
export interface StorageOptions {
  /** Where the objects are kept, created if missing. One storage at a time uses it. */
  readonly directory: string;
  /** By default a free port. */
  readonly port?: number;
  /** Callers with this key, as bearer or `apikey`, are the service. */
  readonly secretKey: string;
  /** The public keys that sign URLs. */
  readonly keys: readonly JWK[];
  readonly buckets: readonly BucketDeclaration[];
}

/** A local storage that runs. */
export interface RunningStorage {
  /** The URL of the Supabase project, for supabase-js. Storage is at its `/storage/v1`. */
  readonly url: string;
  /** The HTTP server. The local Realtime answers WebSockets on it. */
  readonly server: Server;
  /** Closes every connection and waits for the requests in progress. */
  stop(): Promise<void>;
}

/** What the routes work with. */
interface Parts {
  readonly secretKey: string;
  readonly buckets: Map<string, BucketDeclaration>;
  readonly objects: Objects;
  readonly verifyToken: VerifyToken;
}

/** The largest object of supabase/config.toml, with the form around it. */
const MAX_BODY_BYTES = 21 * 1024 * 1024;

const BucketBody = z.object({
  name: z.string().regex(/^[\w-]{1,100}$/),
  public: z.boolean().default(false),
  file_size_limit: z.int().min(1).max(MAX_BODY_BYTES),
  allowed_mime_types: z.array(z.string()),
});
const ListBody = z.object({
  prefix: z.literal(''),
  limit: z.int().min(1).default(100),
  offset: z.int().min(0).default(0),
});
const RemoveBody = z.object({ prefixes: z.array(z.string()).min(1) });

/**
 * Starts a stand-in for Supabase Storage on loopback. It answers only the calls of the service, its clients and its tests, in the
 * format of Supabase Storage.
 * @throws Error in production, and if the directory or the port is not available
 */
export async function startStorage(options: StorageOptions): Promise<RunningStorage> {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The local storage does not run in production.');
  }
  const app = createApp({
    secretKey: options.secretKey,
    buckets: new Map(options.buckets.map((bucket) => [bucket.name, bucket])),
    objects: await openObjects(options.directory),
    verifyToken: createTokenVerifier(options.keys),
  });
  const inProgress = new Set<Promise<Response>>();
  const server = createServer(
    getRequestListener((request) => {
      const response = Promise.resolve(app.fetch(request));
      inProgress.add(response);
      return response.finally(() => inProgress.delete(response));
    }),
  );
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    stop: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
      await Promise.allSettled(inProgress);
    },
  };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
function createApp(parts: Parts): Hono {
  const { buckets, objects, verifyToken } = parts;
  const app = new Hono().basePath('/storage/v1');
  const service = requireKey(parts.secretKey);

  function bucketOf({ bucket }: Pick<ObjectName, 'bucket'>): BucketDeclaration {
    const found = buckets.get(bucket);
    if (found === undefined) throw new StorageError('NoSuchBucket');
    return found;
  }

  async function receive(c: Context, name: ObjectName, upsert: boolean): Promise<StoredObject> {
    const { fileSizeLimit, allowedMimeTypes } = bucketOf(name);
    const { headers, content } = await readFile(c);
    if (!allowedMimeTypes.includes(headers.mimeType)) {
      throw new StorageError('InvalidMimeType', `mime type ${headers.mimeType} is not supported`);
    }
    if (content.length > fileSizeLimit) throw new StorageError('EntityTooLarge');
    // Like Supabase Storage, a check before the write: the later of two concurrent uploads stays.
    if (!upsert && (await objects.find(name))) throw new StorageError('KeyAlreadyExists');
    return objects.put(name, headers, content);
  }

  // The gateway of Supabase opens storage to pages of every origin, so that browsers can upload.
  app.use(cors());
  app.use(
    bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => refuse(c, new StorageError('EntityTooLarge')) }),
  );

  // `supabase seed buckets` lists the buckets and creates the missing ones.
  app.get('/bucket', service, (c) => c.json([...buckets.values()].map(bucketRow)));
  app.post('/bucket', service, async (c) => {
    const body = await readJson(c, BucketBody);
    if (buckets.has(body.name)) throw new StorageError('BucketAlreadyExists');
    const { name, file_size_limit: fileSizeLimit, allowed_mime_types: allowedMimeTypes } = body;
    buckets.set(name, { name, public: body.public, fileSizeLimit, allowedMimeTypes });
    return c.json({ name });
  });

  // Fixed paths come first, because `/object/:bucket/:key` matches them too.
  app.put('/object/upload/sign/:bucket/:key{.+}', async (c) => {
    const name = nameOf(c);
    const { upsert } = await verifyToken(c.req.query('token'), pathOf(name), 'upload');
    await receive(c, name, upsert);
    return c.json({ Key: pathOf(name) });
  });
  app.get('/object/sign/:bucket/:key{.+}', async (c) => {
    const name = nameOf(c);
    const { expiresAt } = await verifyToken(c.req.query('token'), pathOf(name), 'download');
    return sendObject(c, await objects.read(name), { Expires: expiresAt.toUTCString() });
  });
  app.get('/object/public/:bucket/:key{.+}', async (c) => {
    const name = nameOf(c);
    if (!bucketOf(name).public) throw new StorageError('NoSuchBucket');
    return sendObject(c, await objects.read(name));
  });
  app.get('/object/info/:bucket/:key{.+}', service, async (c) => {
    const name = nameOf(c);
    bucketOf(name);
    const object = await objects.find(name);
    if (object === undefined) throw new StorageError('NoSuchKey');
    return c.json(objectInfo(object));
  });
  app.post('/object/list/:bucket', service, async (c) => {
    const bucket = c.req.param('bucket');
    const page = await readJson(c, ListBody);
    return c.json(buckets.has(bucket) ? (await objects.list(bucket, page)).map(listEntry) : []);
  });
  app.delete('/object/:bucket', service, async (c) => {
    const bucket = c.req.param('bucket');
    const { prefixes } = await readJson(c, RemoveBody);
    const removed = await Promise.all(prefixes.map((key) => objects.remove({ bucket, key })));
    return c.json(removed.filter((object) => object !== undefined).map(removedRow));
  });
  app.get('/object/:bucket/:key{.+}', service, async (c) => {
    const name = nameOf(c);
    bucketOf(name);
    return sendObject(c, await objects.read(name));
  });
  app.post('/object/:bucket/:key{.+}', service, async (c) => {
    const name = nameOf(c);
    const { id } = await receive(c, name, c.req.header('x-upsert') === 'true');
    return c.json({ Id: id, Key: pathOf(name) });
  });

  app.notFound((c) =>
    refuse(c, new StorageError('RouteNotFound', `Route ${c.req.method}:${c.req.path} not found`)),
  );
  app.onError((error, c) => {
    if (error instanceof StorageError) return refuse(c, error);
    if (!c.req.raw.signal.aborted) process.stderr.write(`storage: ${error.stack}\n`);
    return refuse(c, new StorageError('InternalError'));
  });
  return app;
}

function refuse(c: Context, error: StorageError): Response {
  return c.json(error.body, error.httpStatus);
}

/** Refuses callers without the secret key. A bearer precedes an `apikey`, as at the gateway of Supabase. */
function requireKey(secretKey: string): MiddlewareHandler {
  return async (c, next) => {
    const key = c.req.header('authorization')?.replace(/^Bearer\s+/i, '') ?? c.req.header('apikey');
    if (key === undefined) {
      throw new StorageError('InvalidRequest', "headers must have required property 'authorization'");
    }
    if (key !== secretKey) throw new StorageError('AccessDenied');
    await next();
  };
}

function nameOf(c: Context): ObjectName {
  return { bucket: c.req.param('bucket') ?? '', key: c.req.param('key') ?? '' };
}

function pathOf({ bucket, key }: ObjectName): string {
  return `${bucket}/${key}`;
}

/** Returns the uploaded file: the body itself, or the file of a form as supabase-js sends a Blob. */
async function readFile(c: Context): Promise<{ headers: ObjectHeaders; content: Uint8Array }> {
  const contentType = c.req.header('content-type') ?? 'application/octet-stream';
  if (!contentType.startsWith('multipart/form-data')) {
    const headers = { mimeType: contentType, cacheControl: c.req.header('cache-control') ?? 'no-cache' };
    return { headers, content: new Uint8Array(await c.req.arrayBuffer()) };
  }
  const form = await c.req.formData().catch(() => undefined);
  const file = form?.get('');
  if (!(file instanceof File)) throw new StorageError('InvalidRequest', 'No content provided');
  const maxAge = form?.get('cacheControl');
  const headers = { mimeType: file.type, cacheControl: maxAge ? `max-age=${maxAge}` : 'no-cache' };
  return { headers, content: await file.bytes() };
}

async function readJson<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const body = schema.safeParse(await c.req.json().catch(() => undefined));
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  throw new StorageError('InvalidRequest', `${['body', ...(issue?.path ?? [])].join('/')} ${issue?.message}`);
}

function sendObject(
  c: Context,
  { object, content }: Awaited<ReturnType<Objects['read']>>,
  caching: Record<string, string> = { 'Cache-Control': object.cacheControl },
): Response {
  const download = c.req.query('download');
  const name = encodeURIComponent(download ?? '');
  return c.body(content, 200, {
    ...caching,
    ...(download !== undefined && {
      'Content-Disposition': `attachment; filename=${name}; filename*=UTF-8''${name}`,
    }),
    'Content-Type': object.mimeType,
    ETag: object.eTag,
    'Last-Modified': new Date(object.updatedAt).toUTCString(),
  });
}

function bucketRow({ name, public: isPublic, fileSizeLimit, allowedMimeTypes }: BucketDeclaration) {
  const limits = { file_size_limit: fileSizeLimit, allowed_mime_types: allowedMimeTypes };
  return { id: name, name, owner: '', public: isPublic, ...limits, type: 'STANDARD' };
}

function listEntry(object: StoredObject) {
  const { eTag, size, mimeType: mimetype, cacheControl, createdAt, updatedAt: lastModified } = object;
  const metadata = {
    eTag,
    size,
    mimetype,
    cacheControl,
    lastModified,
    contentLength: size,
    httpStatusCode: 200,
  };
  const times = { updated_at: lastModified, created_at: createdAt, last_accessed_at: createdAt };
  return { name: object.key, id: object.id, ...times, metadata };
}

function removedRow(object: StoredObject) {
  return { ...listEntry(object), bucket_id: object.bucket, version: object.version };
}

function objectInfo(object: StoredObject) {
  return {
    id: object.id,
    name: object.key,
    version: object.version,
    bucket_id: object.bucket,
    size: object.size,
    content_type: object.mimeType,
    cache_control: object.cacheControl,
    etag: object.eTag,
    metadata: {},
    last_modified: object.updatedAt,
    created_at: object.createdAt,
  };
}
