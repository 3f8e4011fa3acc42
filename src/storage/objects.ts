import { createClient, StorageApiError } from '@supabase/supabase-js';
import { ApiError } from '../contract/errors.ts';
import type { Bucket } from './buckets.ts';

/** An object to store: its bytes, and the content type that it is served with. */
export interface NewObject {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The objects in storage. Every method throws `SERVICE_UNAVAILABLE` where storage refuses or is away. */
export interface Objects {
  /** An object's bytes as they come; null where there is none. */
  open(bucket: Bucket, key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Stores an object under a key that nobody else uses. */
  put(bucket: Bucket, key: string, object: NewObject): Promise<void>;
  /** Removes objects; one that is not there is removed already. */
  remove(bucket: Bucket, keys: readonly string[]): Promise<void>;
  /** The keys of a bucket that lie in no folder, a page at a time. */
  list(bucket: Bucket): AsyncIterable<readonly string[]>;
}

const PAGE = 1_000;

/** For a whole file, to or from storage beside the service: whatever takes longer hangs. */
const TIMEOUT_MS = 10_000;

/** Makes the way to the storage of the project at `url`, past its policies by the project's secret key. */
export function createObjects({ url, secretKey }: { url: string; secretKey: string }): Objects {
  const { storage } = createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchPatiently },
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

const fetchPatiently: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });

/** Storage answers 400 with the status of its error inside, newer ones 404. */
function isMissing(error: unknown): boolean {
  return error instanceof StorageApiError && (error.status === 404 || error.statusCode === '404');
}

function unavailable(error: Error): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {}, { cause: causeOf(error) });
}

/** Returns what made a request fail: the library and `fetch` each wrap it in an error that says only that it failed. */
function causeOf(error: Error): unknown {
  const failure = 'originalError' in error ? error.originalError : error;
  return failure instanceof Error ? (failure.cause ?? failure) : failure;
}
