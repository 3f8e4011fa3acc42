import { OpineError } from './error.ts';
import type { Send } from './operations.ts';
import type { FetchResponse, Platform, UploadFile } from './platform.ts';
import { retry } from './retry.ts';
import type { Asset, NewUpload, PresignedUpload, UploadPurpose } from './schema.ts';
import { fetchByXhr, hasXhr, type OnProgress } from './xhr.ts';

/** Options of an upload. */
export interface UploadOptions {
  readonly purpose: UploadPurpose;
  /** The type of `file` by default. */
  readonly contentType?: NewUpload['contentType'];
  readonly fileName?: string;
  readonly signal?: AbortSignal;
  /** Reports bytes as they are sent where the platform has `XMLHttpRequest`, else once at the end. */
  readonly onProgress?: OnProgress;
}

/**
 * Uploads a file straight to storage and completes the upload.
 * @throws OpineError if Opine or storage answers with an error; an error of storage has a null code
 * @throws PlatformError if the platform cannot read the file, or compute its checksum
 */
export async function upload(
  post: Send<'post'>,
  platform: Platform,
  file: UploadFile,
  { purpose, contentType = typeOf(file), fileName, signal, onProgress }: UploadOptions,
): Promise<Asset> {
  const abort = signal === undefined ? {} : { signal };
  const bytes = new Uint8Array(await platform.readFile(file as never));
  const checksum = hexOf(await platform.digest(bytes));
  const { uploadId, ...target } = await post('/uploads/presign', {
    body: {
      purpose,
      contentType,
      sizeBytes: bytes.length,
      ...(fileName !== undefined && { fileName }),
    },
    ...abort,
  });
  const stored = await retry(() => put(platform, target, bytes, { ...abort, onProgress }), signal);
  if (!stored.ok) throw new OpineError(stored, undefined);
  // Frees the connection.
  await stored.text();
  return post('/uploads/complete', { body: { uploadId, purpose, checksum }, ...abort });
}

async function put(
  { fetch }: Platform,
  { uploadUrl, method, headers }: Omit<PresignedUpload, 'uploadId'>,
  body: Uint8Array<ArrayBuffer>,
  { signal, onProgress }: { signal?: AbortSignal; onProgress: OnProgress | undefined },
): Promise<FetchResponse> {
  const init = { method, headers, body, ...(signal !== undefined && { signal }) };
  if (onProgress === undefined) return fetch(uploadUrl, init);
  if (hasXhr()) return fetchByXhr(uploadUrl, init, onProgress);
  const response = await fetch(uploadUrl, init);
  if (response.ok) onProgress(body.length, body.length);
  return response;
}

/** Returns the type that the file has, which Opine validates. */
function typeOf(file: UploadFile): NewUpload['contentType'] {
  return (typeof file === 'object' && 'type' in file ? file.type : '') as NewUpload['contentType'];
}

function hexOf(digest: ArrayBuffer | Uint8Array | string): string {
  if (typeof digest === 'string') return digest;
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
