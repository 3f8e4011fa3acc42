import { z } from 'zod';
import type { Call } from '../http/handler.ts';

const Intent = z.object({ uploadId: z.string(), expiresAt: z.coerce.date() });
const PresignArgs = z.object({ contentType: z.string() });

/** Signs the address to PUT the file to. */
export async function presignUpload({ args, services: { signedUrls }, run }: Call): Promise<unknown> {
  const { uploadId, expiresAt } = Intent.parse(await run(args));
  return {
    uploadId,
    uploadUrl: await signedUrls.upload(uploadId, expiresAt),
    method: 'PUT',
    headers: { 'Content-Type': PresignArgs.parse(args).contentType },
    expiresAt,
  };
}

const CompletionArgs = z.object({ uploadId: z.string(), checksum: z.string() });
const bucket = z.enum(['photos', 'media']);
const Look = z.object({
  upload: z.object({ contentType: z.string(), sizeBytes: z.int(), bucket, assetId: z.string() }).nullable(),
});

/**
 * Postgres says what was announced, the service looks at what has come and keeps it, and Postgres makes an asset of it or
 * refuses: it knows whether another try was quicker.
 */
export async function completeUpload({ args, services: { intake }, look, run }: Call): Promise<unknown> {
  const { upload } = Look.parse(await look());
  const content = upload && (await intake.take({ ...CompletionArgs.parse(args), ...upload }));
  return run({ ...args, content });
}

const DownloadArgs = z.object({ assetId: z.string() });
const Download = z.object({ bucket, fileName: z.string().nullable(), expiresAt: z.coerce.date() });

/** Signs the address to read an asset from. */
export async function getDownloadUrl({ args, services: { signedUrls }, run }: Call): Promise<unknown> {
  const { assetId } = DownloadArgs.parse(args);
  const { bucket, fileName, expiresAt } = Download.parse(await run(args));
  return { url: await signedUrls.download(bucket, assetId, expiresAt, fileName), expiresAt };
}
