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

/** Why a file was not kept. */
export interface Refusal {
  readonly refusal: 'object_missing' | 'checksum_mismatch' | 'content_mismatch';
}

/** Takes uploaded files in. */
export interface Intake {
  /**
   * Checks that what was uploaded is what was announced, and keeps it; an image without its metadata. Throws
   * `SERVICE_UNAVAILABLE` where storage is away or too much is to do.
   */
  take(file: ExpectedFile): Promise<KeptFile | Refusal>;
}

/** Each of them is in memory, with up to 20 MiB. */
const MAX_AT_ONCE = 4;

/**
 * From when nothing more is stored for a file, its wait included. What is stored later might never be removed: a minute
 * after an account has ended, Postgres forgets what was reserved for it (app.finish_account_deletion).
 */
const TIMEOUT_MS = 20_000;

/** Makes the intake of a process. */
export function createIntake(objects: Objects, images: Images): Intake {
  const limit = pLimit(MAX_AT_ONCE);
  return {
    take: (expected) => {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const taking = limit(() => take(expected, timeout, objects, images));
      return Promise.race([taking, rejected(timeout)]);
    },
  };
}

async function take(
  expected: ExpectedFile,
  timeout: AbortSignal,
  objects: Objects,
  images: Images,
): Promise<KeptFile | Refusal> {
  timeout.throwIfAborted();
  const { bucket, assetId, contentType } = expected;
  const stream = await objects.open('uploads', expected.uploadId);
  if (stream === null) return { refusal: 'object_missing' };
  const file = await readWhole(stream, expected.sizeBytes);
  if (file.checksum !== expected.checksum) return { refusal: 'checksum_mismatch' };
  if (file.size !== expected.sizeBytes || contentTypeOf(file.bytes) !== contentType)
    return { refusal: 'content_mismatch' };
  const isImage = contentType.startsWith('image/');
  const image = isImage ? await prepared(file, contentType, images) : null;
  if (isImage && image === null) return { refusal: 'content_mismatch' };
  timeout.throwIfAborted();
  await objects.put(bucket, assetId, { bytes: image?.bytes ?? file.bytes, contentType });
  const { width = null, height = null, blurhash = null } = image ?? {};
  return { assetId, width, height, blurhash };
}

function prepared({ bytes }: WholeFile, contentType: string, images: Images): Promise<PreparedImage | null> {
  return images.prepare(bytes, contentType).catch((cause: unknown) => {
    throw new ApiError('SERVICE_UNAVAILABLE', {}, { cause });
  });
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new ApiError('SERVICE_UNAVAILABLE', {}, { cause: signal.reason }));
    });
  });
}
