import { createHash } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';

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
