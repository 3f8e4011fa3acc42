import type { Hono } from 'hono';
import { z } from 'zod';
import type { Bucket } from './buckets.ts';
import { invalidRequest } from './errors.ts';
import { bodyOf, requireService, type StorageEnv } from './http.ts';
import type { StorageParts } from './parts.ts';

const createBody = z.object({
  name: z.string(),
  public: z.boolean().optional(),
  file_size_limit: z.union([z.int().min(0), z.string()]).nullish(),
  allowed_mime_types: z.array(z.string()).nullish(),
});

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** Creating, reading and listing buckets: for the service alone. */
export function mountBucketRoutes(app: Hono<StorageEnv>, { secretKey, buckets }: StorageParts): void {
  app.post('/bucket', async (c) => {
    requireService(c, secretKey);
    const body = await bodyOf(c, createBody);
    await buckets.create({
      name: body.name,
      public: body.public ?? false,
      fileSizeLimit: bytesOf(body.file_size_limit ?? null),
      allowedMimeTypes: body.allowed_mime_types ?? null,
    });
    return c.json({ name: body.name });
  });

  app.get('/bucket', async (c) => {
    requireService(c, secretKey);
    const all = await buckets.list();
    return c.json(all.map((bucket) => ({ ...rowOf(bucket), type: 'STANDARD' })));
  });

  app.get('/bucket/:bucket', async (c) => {
    requireService(c, secretKey);
    return c.json(rowOf(await buckets.get(c.req.param('bucket'))));
  });
}

function rowOf(bucket: Bucket) {
  return {
    id: bucket.name,
    name: bucket.name,
    owner: '',
    public: bucket.public,
    file_size_limit: bucket.fileSizeLimit,
    allowed_mime_types: bucket.allowedMimeTypes,
    created_at: bucket.createdAt,
    updated_at: bucket.updatedAt,
  };
}

function bytesOf(limit: number | string | null): number | null {
  if (typeof limit !== 'string') {
    return limit;
  }
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i.exec(limit) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (factor === undefined) {
    throw invalidRequest('Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  }
  return Math.round(Number(amount) * factor);
}
