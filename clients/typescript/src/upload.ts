import { OpineError } from './error.ts';
import type { Send } from './requests.ts';
import type { Asset, NewUpload, UploadPurpose } from './schema.ts';

/** Options of an upload. */
export interface UploadOptions {
  readonly purpose: UploadPurpose;
  /** The type of `file` by default. */
  readonly contentType?: NewUpload['contentType'];
  readonly fileName?: string;
  readonly signal?: AbortSignal;
}

/**
 * Uploads a file straight to storage and completes the upload.
 * @throws OpineError if Opine or storage answers with an error; an error of storage has a null code
 */
export async function upload(
  post: Send<'post'>,
  send: typeof fetch,
  file: Blob,
  { purpose, contentType, fileName, signal }: UploadOptions,
): Promise<Asset> {
  const abort = signal === undefined ? {} : { signal };
  const { uploadId, uploadUrl, method, headers } = await post('/uploads/presign', {
    body: {
      purpose,
      // Opine validates the type.
      contentType: contentType ?? (file.type as NewUpload['contentType']),
      sizeBytes: file.size,
      ...(fileName !== undefined && { fileName }),
    },
    ...abort,
  });
  const bytes = await file.arrayBuffer();
  const stored = await send(uploadUrl, { method, headers, body: bytes, ...abort });
  if (!stored.ok) throw new OpineError(stored, undefined);
  await stored.body?.cancel();
  return post('/uploads/complete', {
    body: { uploadId, purpose, checksum: await checksumOf(bytes) },
    ...abort,
  });
}

async function checksumOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
