import type { Hono } from 'hono';
import { z } from 'zod';
import { rowOf } from './answers.ts';
import { bodyOf, bucketOf, requireService, type StorageEnv } from './http.ts';
import { listLevel } from './listing.ts';
import { checkBucketName, checkKey, type ObjectName } from './names.ts';
import type { ObjectHeaders } from './object-folders.ts';
import type { StorageParts } from './parts.ts';
import { checkHeaderValue, parseUserMetadata } from './upload.ts';
import { requireBucket, wantsUpsert } from './write-routes.ts';

const moveBody = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationBucket: z.string().optional(),
  destinationKey: z.string(),
});

const copyBody = moveBody.extend({
  copyMetadata: z.boolean().default(true),
  metadata: z.object({ cacheControl: z.string().optional(), mimetype: z.string().optional() }).optional(),
});

const removeBody = z.object({ prefixes: z.array(z.string()).min(1) });

const listBody = z.object({
  prefix: z.string(),
  search: z.string().default(''),
  limit: z.int().min(1).default(100),
  offset: z.int().min(0).default(0),
  sortBy: z
    .object({
      column: z.enum(['name', 'updated_at', 'created_at', 'last_accessed_at']),
      order: z.enum(['asc', 'desc']).default('asc'),
    })
    .default({ column: 'name', order: 'asc' }),
});

/** Copying, moving, deleting and listing: for the service alone. */
export function mountManageRoutes(app: Hono<StorageEnv>, parts: StorageParts): void {
  const { secretKey, objects } = parts;

  app.post('/object/copy', async (c) => {
    requireService(c, secretKey);
    const body = await bodyOf(c, copyBody);
    const { source, target } = await namesOf(parts, body);
    const headers = body.copyMetadata ? {} : newHeaders(body, c.req.header('x-metadata'));
    const copy = await objects.copy(source, target, headers, wantsUpsert(c));
    return c.json({ Id: copy.id, Key: `${target.bucket}/${target.key}`, ...rowOf(copy) });
  });

  app.post('/object/move', async (c) => {
    requireService(c, secretKey);
    const { source, target } = await namesOf(parts, await bodyOf(c, moveBody));
    await objects.move(source, target);
    return c.json({ message: 'Successfully moved' });
  });

  app.delete('/object/:bucket', async (c) => {
    requireService(c, secretKey);
    const bucket = bucketOf(c);
    const { prefixes } = await bodyOf(c, removeBody);
    const removed = await Promise.all(prefixes.map((key) => objects.remove({ bucket, key })));
    return c.json(removed.filter((object) => object !== undefined).map(rowOf));
  });

  app.post('/object/list/:bucket', async (c) => {
    requireService(c, secretKey);
    const bucket = bucketOf(c);
    const options = await bodyOf(c, listBody);
    return c.json(listLevel(await objects.list(bucket), options));
  });
}

async function namesOf(
  parts: StorageParts,
  body: z.infer<typeof moveBody>,
): Promise<{ source: ObjectName; target: ObjectName }> {
  const source = { bucket: body.bucketId, key: body.sourceKey };
  const target = { bucket: body.destinationBucket ?? source.bucket, key: body.destinationKey };
  checkBucketName(source.bucket);
  checkKey(target.key);
  await parts.objects.get(source);
  await requireBucket(parts, target.bucket);
  return { source, target };
}

function newHeaders(
  { metadata }: z.infer<typeof copyBody>,
  userMetadata: string | undefined,
): Partial<ObjectHeaders> {
  const { cacheControl, mimetype } = metadata ?? {};
  for (const value of [cacheControl, mimetype]) {
    checkHeaderValue(value ?? '');
  }
  return {
    ...(cacheControl === undefined ? {} : { cacheControl }),
    ...(mimetype === undefined ? {} : { mimeType: mimetype }),
    userMetadata: parseUserMetadata(userMetadata) ?? {},
  };
}
