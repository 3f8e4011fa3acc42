import { createHash } from 'node:crypto';
import { createClient, StorageApiError } from '@supabase/supabase-js';
import { ApiError } from '../contract/errors.ts';
import type { Bucket } from './buckets.ts';

/** An object to store. */
export interface NewObject {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The objects in storage. All methods throw ApiError SERVICE_UNAVAILABLE if storage fails. */
export interface Objects {
  /** Returns an object as a stream, or null if it does not exist. */
  open(bucket: Bucket, key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Stores an object under a new key. */
  put(bucket: Bucket, key: string, object: NewObject): Promise<void>;
  /** Removes objects. Missing ones count as removed. */
  remove(bucket: Bucket, keys: readonly string[]): Promise<void>;
  /** Iterates over pages of the keys at the top level of a bucket. */
  list(bucket: Bucket): AsyncIterable<readonly string[]>;
}

const PAGE = 1_000;

/** The timeout of one request, including the file. Storage is close to the service, so a slower request hangs. */
const TIMEOUT_MS = 10_000;

/** Creates a client of the project's storage. The secret key bypasses its policies. */
export function createObjects({ url, secretKey }: { url: string; secretKey: string }): Objects {
  const { storage } = createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithTimeout },
  });
  return {
    open: async (bucket, key) => {
      const { data, error } = await storage.from(bucket).download(key).asStream();
      if (error && isMissing(error)) return null;
      if (error) throw unavailable(error);
      return data;
    },
    put: async (bucket, key, { bytes, contentType }) => {
      const file = new Blob([new Uint8Array(bytes)], { type: contentType });
      const { error } = await storage.from(bucket).upload(key, file, { cacheControl: '86400' });
      if (error) throw unavailable(error);
    },
    remove: async (bucket, keys) => {
      if (keys.length === 0) return;
      const { error } = await storage.from(bucket).remove([...keys]);
      if (error) throw unavailable(error);
    },
    list: async function* (bucket) {
      for (let offset = 0; ; offset += PAGE) {
        const { data, error } = await storage.from(bucket).list('', { limit: PAGE, offset });
        if (error) throw unavailable(error);
        yield data.filter(({ id }) => id !== null).map(({ name }) => name);
        if (data.length < PAGE) return;
      }
    },
  };
}

const fetchWithTimeout: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Whether storage answered that an object is missing: 404, or in older versions 400 with 404 in the body. */
function isMissing(error: unknown): boolean {
  return error instanceof StorageApiError && (error.status === 404 || error.statusCode === '404');
}

function unavailable(error: Error): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {}, { cause: findCause(error) });
}

/** Returns the innermost cause, because the library and `fetch` wrap it in errors without information. */
function findCause(error: Error): unknown {
  const failure = 'originalError' in error ? error.originalError : error;
  return failure instanceof Error ? (failure.cause ?? failure) : failure;
}

/** A file in memory. */
export interface WholeFile {
  /** The beginning of the file, up to the limit. */
  readonly bytes: Uint8Array;
  /** The size of the whole file in bytes. */
  readonly size: number;
  /** SHA-256 of the whole file, in hex. */
  readonly checksum: string;
}

/**
 * Reads and hashes a stream, and keeps at most `maxBytes` of it.
 * @throws ApiError SERVICE_UNAVAILABLE if the stream fails
 */
export async function readWhole(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<WholeFile> {
  const hash = createHash('sha256');
  const bytes = new Uint8Array(maxBytes);
  let size = 0;
  try {
    for await (const chunk of stream) {
      hash.update(chunk);
      if (size < maxBytes) bytes.set(chunk.subarray(0, maxBytes - size), size);
      size += chunk.byteLength;
    }
  } catch (cause) {
    throw new ApiError('SERVICE_UNAVAILABLE', {}, { cause });
  }
  return { bytes: bytes.subarray(0, size), size, checksum: hash.digest('hex') };
}
