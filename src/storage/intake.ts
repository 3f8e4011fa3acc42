import pLimit from 'p-limit';
import { ApiError } from '../contract/errors.ts';
import { contentTypeOf } from '../images/content-type.ts';
import type { Images, PreparedImage } from '../images/images.ts';
import type { Bucket } from './buckets.ts';
import type { Objects } from './objects.ts';
import { readWhole, type WholeFile } from './read-whole.ts';

/** A file that was announced, and where it is to be kept. */
export interface ExpectedFile {
  readonly uploadId: string;
  /** SHA-256 in hex, lower case. */
  readonly checksum: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly bucket: Bucket;
  /** The key under which to keep it. */
  readonly assetId: string;
}

/** What was kept; of a picture also its size as displayed. */
export interface KeptFile {
  readonly assetId: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly blurhash: string | null;
}

/** Takes uploaded files in. */
export interface Intake {
  /**
   * Checks that what was uploaded is what was announced, and keeps it; an image without its metadata. Throws
   * `UPLOAD_CONFLICT` with the reason where it is not, `SERVICE_UNAVAILABLE` where storage is away.
   */
  take(file: ExpectedFile): Promise<KeptFile>;
}

/** Each of them is in memory, with up to 20 MiB. */
const MAX_AT_ONCE = 4;

/** Makes the intake of a process. */
export function createIntake(objects: Objects, images: Images): Intake {
  const limit = pLimit(MAX_AT_ONCE);
  return { take: (expected) => limit(() => take(expected, objects, images)) };
}

async function take(expected: ExpectedFile, objects: Objects, images: Images): Promise<KeptFile> {
  const { bucket, assetId, contentType } = expected;
  const stream = await objects.open('uploads', expected.uploadId);
  if (stream === null) throw conflict('object_missing');
  const file = await readWhole(stream, expected.sizeBytes);
  if (file.checksum !== expected.checksum) throw conflict('checksum_mismatch');
  if (file.size !== expected.sizeBytes || contentTypeOf(file.bytes) !== contentType)
    throw conflict('content_mismatch');
  const image = contentType.startsWith('image/') ? await prepared(file, contentType, images) : null;
  await objects.put(bucket, assetId, { bytes: image?.bytes ?? file.bytes, contentType });
  const { width = null, height = null, blurhash = null } = image ?? {};
  return { assetId, width, height, blurhash };
}

async function prepared({ bytes }: WholeFile, contentType: string, images: Images): Promise<PreparedImage> {
  const image = await images.prepare(bytes, contentType);
  if (image === null) throw conflict('content_mismatch');
  return image;
}

function conflict(reason: 'object_missing' | 'checksum_mismatch' | 'content_mismatch'): ApiError {
  return new ApiError('UPLOAD_CONFLICT', { reason });
}
