import type { Hono } from 'hono';
import { MAX_OBJECT_BYTES } from './buckets.ts';
import { duplicate, relatedResourceNotFound } from './errors.ts';
import {
  objectNameOf,
  readBytes,
  requireService,
  type StorageContext,
  type StorageEnv,
  tokenOf,
} from './http.ts';
import { checkKey, type ObjectName } from './names.ts';
import type { StoredObject } from './object-folders.ts';
import type { StorageParts } from './parts.ts';
import { StorageError } from './storage-error.ts';
import { readUpload } from './upload.ts';

/** How long a signed upload URL lives at Supabase; the client cannot choose. */
const UPLOAD_TOKEN_SECONDS = 2 * 60 * 60;

/** Uploads: by the service, and by whoever holds a signed upload URL. */
export function mountWriteRoutes(app: Hono<StorageEnv>, parts: StorageParts): void {
  const { secretKey, objects, tokens } = parts;

  app.post('/object/upload/sign/:bucket/:key{.*}', async (c) => {
    requireService(c, secretKey);
    const name = objectNameOf(c);
    const upsert = wantsUpsert(c);
    checkKey(name.key);
    await requireBucket(parts, name.bucket);
    if (!upsert && (await objects.find(name))) {
      throw duplicate('KeyAlreadyExists');
    }
    const token = await tokens.signUpload(name, upsert, UPLOAD_TOKEN_SECONDS);
    return c.json({ url: `/object/upload/sign/${name.bucket}/${name.key}?token=${token}`, token });
  });

  app.put('/object/upload/sign/:bucket/:key{.*}', async (c) => {
    const name = objectNameOf(c);
    // The token alone decides on upsert: its holder must not widen it by a header.
    const { upsert } = await tokens.verify(tokenOf(c), name, 'upload');
    await receive(c, parts, name, upsert);
    return c.json({ Key: `${name.bucket}/${name.key}` });
  });

  app.post('/object/:bucket/:key{.*}', async (c) => {
    requireService(c, secretKey);
    const name = objectNameOf(c);
    const { id } = await receive(c, parts, name, wantsUpsert(c));
    return c.json({ Id: id, Key: `${name.bucket}/${name.key}` });
  });
}

/** Whether the caller asks to replace what is there. */
export function wantsUpsert(c: StorageContext): boolean {
  return c.req.header('x-upsert') === 'true';
}

/** Raises, as a write into it does, where the bucket does not exist. */
export async function requireBucket({ buckets }: StorageParts, bucket: string): Promise<void> {
  try {
    await buckets.get(bucket);
  } catch (error) {
    throw error instanceof StorageError ? relatedResourceNotFound() : error;
  }
}

/**
 * Takes the request's file in. As at Supabase, a write without upsert looks for the name before
 * it reads the file, not after: of two at once for a free name, the later one stays.
 */
async function receive(
  c: StorageContext,
  { buckets, objects }: StorageParts,
  name: ObjectName,
  upsert: boolean,
): Promise<StoredObject> {
  const { fileSizeLimit, allowedMimeTypes } = await buckets.get(name.bucket);
  return await readBytes(c, async (bytes) => {
    const upload = await readUpload(c.env.incoming.headers, bytes, allowedMimeTypes);
    checkKey(name.key);
    if (!upsert && (await objects.find(name))) {
      throw duplicate('KeyAlreadyExists');
    }
    return await objects.put(name, upload.headers, upload.body, fileSizeLimit ?? MAX_OBJECT_BYTES);
  });
}
