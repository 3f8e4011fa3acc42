import { createHash } from 'node:crypto';
import { ApiError } from '../contract/errors.ts';

/** A file that was read. */
export interface WholeFile {
  /** Of a file that is too long, only its beginning. */
  readonly bytes: Uint8Array;
  /** How many bytes the file has. */
  readonly size: number;
  /** SHA-256 of all of them, in hex. */
  readonly checksum: string;
}

/**
 * Reads a file as it comes, hashing it on the way, and keeps up to `maxBytes` of it.
 * @throws ApiError SERVICE_UNAVAILABLE where it breaks off
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
