import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { StorageContext } from './http.ts';
import type { ObjectName } from './names.ts';
import type { StoredObject } from './object-folders.ts';
import type { Objects } from './objects.ts';
import { type ByteRange, parseRange } from './ranges.ts';

/**
 * Answers with an object's bytes, or with its headers alone to a HEAD. `expiresAt` is when the signed URL
 * ends through which it is read. Raises where there is no such object, or nothing of it in the range.
 */
export async function sendObject(
  c: StorageContext,
  objects: Objects,
  name: ObjectName,
  expiresAt?: Date,
): Promise<Response> {
  if (c.req.method === 'HEAD') {
    const object = await objects.get(name);
    setHeaders(c, object, expiresAt);
    c.header('Content-Length', String(object.size));
    return c.body(null);
  }
  const { object, file } = await objects.open(name);
  try {
    if (isUnchanged(c, object)) {
      await file.close();
      return c.body(null, 304);
    }
    const header = c.req.header('range');
    const range = header === undefined ? undefined : parseRange(header, object.size);
    setHeaders(c, object, expiresAt);
    return await sendBytes(c, object, file, range);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** An object as the API's rows have it. */
export function rowOf(object: StoredObject) {
  return {
    id: object.id,
    name: object.key,
    bucket_id: object.bucket,
    owner: '',
    owner_id: '',
    version: object.version,
    updated_at: object.updatedAt,
    created_at: object.createdAt,
    last_accessed_at: object.createdAt,
    metadata: metadataOf(object),
    user_metadata: object.userMetadata,
  };
}

/** What storage knows of an object's bytes, as rows and listings have it. */
export function metadataOf({ eTag, size, mimeType, cacheControl, updatedAt }: StoredObject) {
  return {
    eTag,
    size,
    mimetype: mimeType,
    cacheControl,
    lastModified: updatedAt,
    contentLength: size,
    httpStatusCode: 200,
  };
}

/** An object as `info` has it. */
export function infoOf(object: StoredObject) {
  return {
    id: object.id,
    name: object.key,
    version: object.version,
    bucket_id: object.bucket,
    size: object.size,
    content_type: object.mimeType,
    cache_control: object.cacheControl,
    etag: object.eTag,
    metadata: object.userMetadata,
    last_modified: object.updatedAt,
    created_at: object.createdAt,
  };
}

async function sendBytes(
  c: StorageContext,
  { size }: StoredObject,
  file: FileHandle,
  range: ByteRange | undefined,
): Promise<Response> {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  c.header('Content-Length', String(end - start + 1));
  if (size === 0) {
    await file.close();
    return c.body('');
  }
  if (range) {
    c.header('Content-Range', `bytes ${start}-${end}/${size}`);
  }
  const bytes = Readable.toWeb(file.createReadStream({ start, end })) as ReadableStream<Uint8Array>;
  return c.body(bytes, range ? 206 : 200);
}

function setHeaders(c: StorageContext, object: StoredObject, expiresAt: Date | undefined): void {
  c.header('Accept-Ranges', 'bytes');
  // A page served from here would run in the origin of the storage service.
  c.header('Content-Type', object.mimeType.includes('text/html') ? 'text/plain' : object.mimeType);
  c.header('ETag', object.eTag);
  c.header('X-Robots-Tag', 'none');
  c.header('Last-Modified', new Date(object.updatedAt).toUTCString());
  if (expiresAt) {
    c.header('Expires', expiresAt.toUTCString());
  } else {
    c.header('Cache-Control', cacheControl(c, object));
  }
  const download = c.req.query('download');
  if (download !== undefined) {
    c.header('Content-Disposition', disposition(download));
  }
}

function cacheControl(c: StorageContext, object: StoredObject): string {
  const known = c.req.header('if-none-match');
  const isStale = known !== undefined && known !== object.eTag;
  return isStale ? `${object.cacheControl}, stale-while-revalidate=30` : object.cacheControl;
}

function disposition(fileName: string): string {
  const encoded = encodeURIComponent(fileName);
  return encoded === '' ? 'attachment;' : `attachment; filename=${encoded}; filename*=UTF-8''${encoded}`;
}

function isUnchanged(c: StorageContext, object: StoredObject): boolean {
  const known = c.req.header('if-none-match');
  if (known !== undefined) {
    return known === object.eTag;
  }
  const since = Date.parse(c.req.header('if-modified-since') ?? '');
  const wholeSecond = Math.floor(Date.parse(object.updatedAt) / 1000) * 1000;
  return wholeSecond <= since;
}
