import pLimit from 'p-limit';
import { ApiError } from '../contract/errors.ts';
import { detectContentType } from '../images/content-type.ts';
import type { Images, PreparedImage, Unusable } from '../images/images.ts';
import { type Bucket, buildThumbnailKey } from './buckets.ts';
import type { Objects } from './objects.ts';
import { readWhole, type WholeFile } from './objects.ts';

/** An announced file, with the bucket and key to store it at. */
export interface ExpectedFile {
  readonly uploadId: string;
  /** SHA-256 in hex, lower case. */
  readonly checksum: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly bucket: Bucket;
  /** The key of the stored object. */
  readonly assetId: string;
}

/** A stored file. Pictures have a size, as displayed. */
export interface StoredFile {
  readonly assetId: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly blurhash: string | null;
  readonly hasThumbnail: boolean;
}

/** Why a file was refused. */
export type RefusedFile =
  | { readonly refusal: 'object_missing' | 'checksum_mismatch' }
  | { readonly refusal: 'content_mismatch'; readonly cause: Unusable | 'other_type' };

/** Checks uploaded files and moves them to their bucket. */
export interface Intake {
  /**
   * Checks that an upload matches its announcement, and stores it: images without metadata, and with a thumbnail.
   * @throws ApiError SERVICE_UNAVAILABLE if storage is unavailable or the queue too long
   */
  take(file: ExpectedFile): Promise<StoredFile | RefusedFile>;
}

/** Limits memory: each file takes up to 20 MiB. */
const CONCURRENCY = 4;

/**
 * The time after which a file is not stored any more, including its time in the queue. A minute after an account deletion,
 * Postgres forgets the reserved keys (app.finish_account_deletion), so a later object would never be removed.
 */
const TIMEOUT_MS = 20_000;

/** Creates the intake of a process. */
export function createIntake(objects: Objects, images: Images): Intake {
  const limit = pLimit(CONCURRENCY);
  return {
    take: (expected) => {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const taking = limit(() => take(expected, timeout, objects, images));
      return Promise.race([taking, rejectOnAbort(timeout)]);
    },
  };
}

async function take(
  expected: ExpectedFile,
  timeout: AbortSignal,
  objects: Objects,
  images: Images,
): Promise<StoredFile | RefusedFile> {
  timeout.throwIfAborted();
  const { bucket, assetId, contentType } = expected;
  const stream = await objects.open('uploads', expected.uploadId);
  if (stream === null) return { refusal: 'object_missing' };
  const file = await readWhole(stream, expected.sizeBytes);
  if (file.checksum !== expected.checksum) return { refusal: 'checksum_mismatch' };
  const prepared = await prepare(file, expected, images);
  if (typeof prepared === 'string') return { refusal: 'content_mismatch', cause: prepared };
  timeout.throwIfAborted();
  const { bytes, width = null, height = null, blurhash = null, thumbnail = null } = prepared;
  await Promise.all([
    objects.put(bucket, assetId, { bytes, contentType }),
    thumbnail &&
      objects.put(bucket, buildThumbnailKey(assetId), { bytes: thumbnail, contentType: 'image/webp' }),
  ]);
  return { assetId, width, height, blurhash, hasThumbnail: thumbnail !== null };
}

/** Returns what to store: an image without metadata, any other file as it is. */
async function prepare(
  { bytes, size }: WholeFile,
  { contentType, sizeBytes }: ExpectedFile,
  images: Images,
): Promise<(Pick<PreparedImage, 'bytes'> & Partial<PreparedImage>) | Unusable | 'other_type'> {
  const type = detectContentType(bytes);
  if (type !== contentType) return type === null ? 'not_decodable' : 'other_type';
  if (size !== sizeBytes) return size > sizeBytes ? 'too_large' : 'not_decodable';
  if (!contentType.startsWith('image/')) return { bytes };
  return images.prepare(bytes, contentType).catch((cause: unknown) => {
    throw new ApiError('SERVICE_UNAVAILABLE', {}, { cause });
  });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new ApiError('SERVICE_UNAVAILABLE', {}, { cause: signal.reason }));
    });
  });
}
