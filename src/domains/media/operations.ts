import { z } from 'zod';
import { id, timestamp } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { buildThumbnailKey } from '../../storage/buckets.ts';
import { ASSET_ID, AT } from '../examples.ts';
import {
  Asset,
  Checksum,
  DownloadRequest,
  DownloadUrls,
  NewUpload,
  PresignedUpload,
  Purpose,
} from './schemas.ts';

const UPLOAD_ID = '01900000-0000-7000-8000-0000000000e1';
const CHECKSUM = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Files (docs/product.md M1-M13). */
export const uploads: readonly Operation[] = [
  {
    id: 'presign_upload',
    revokesAccess: false,
    method: 'post',
    path: '/uploads/presign',
    tag: 'Uploads',
    summary: 'Get a URL to upload a file',
    description:
      'PUT the file to `uploadUrl` with these `headers` within 15 minutes, then complete the upload. The PUT may be repeated. A repeat with the same Idempotency-Key answers a new URL for the same upload, and 409 with `details.reason` `expired` after those 15 minutes.',
    auth: 'required',
    level: 1,
    body: NewUpload,
    data: PresignedUpload,
    status: 200,
    creates: true,
    message: 'Upload prepared.',
    errors: ['UPLOAD_CONFLICT', 'RATE_LIMITED'],
    example: {
      body: { purpose: 'profile_photo', contentType: 'image/jpeg', sizeBytes: 482_113, fileName: 'me.jpg' },
      data: {
        uploadId: UPLOAD_ID,
        uploadUrl: `https://project.supabase.co/storage/v1/object/upload/sign/uploads/${UPLOAD_ID}?token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln`,
        method: 'PUT',
        headers: { 'Content-Type': 'image/jpeg' },
        expiresAt: AT,
      },
    },
    handle: presignUpload,
  },
  {
    id: 'complete_upload',
    revokesAccess: false,
    method: 'post',
    path: '/uploads/complete',
    tag: 'Uploads',
    summary: 'Create an asset from an uploaded file',
    description:
      'Checks SHA-256, size and type of the file, and removes metadata such as GPS from images. `details.reason` names the reason of a refusal, and `details.cause` that of a `content_mismatch`: `not_decodable`, `too_large` or `other_type`. The client may then upload and complete the right file until the upload expires. A repeat answers the same asset.',
    auth: 'required',
    level: 1,
    gateway: 'service',
    body: z
      .strictObject({
        uploadId: id.describe('The id from the presigned upload.'),
        purpose: Purpose,
        checksum: Checksum.describe('SHA-256 of the uploaded file, in hex.'),
      })
      .describe('The upload whose file is in the storage.'),
    data: Asset,
    status: 201,
    message: 'Upload completed.',
    errors: ['ASSET_NOT_FOUND', 'UPLOAD_CONFLICT', 'RATE_LIMITED'],
    example: {
      body: { uploadId: UPLOAD_ID, purpose: 'profile_photo', checksum: CHECKSUM },
      data: {
        assetId: ASSET_ID,
        purpose: 'profile_photo',
        contentType: 'image/jpeg',
        sizeBytes: 482_113,
        checksum: CHECKSUM,
        width: 1200,
        height: 1600,
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
      },
    },
    handle: completeUpload,
  },
  {
    id: 'get_download_url',
    method: 'get',
    path: '/uploads/{assetId}/download-url',
    tag: 'Uploads',
    summary: 'Get a URL to download a file',
    description:
      'For the owner and for viewers of what the file is attached to. The URL is valid for five minutes.',
    auth: 'required',
    level: 1,
    params: { assetId: 'ASSET_NOT_FOUND' },
    data: z
      .strictObject({
        url: z.url().describe('A signed URL of the storage.'),
        expiresAt: timestamp.describe('When the URL expires, in five minutes.'),
      })
      .meta({ id: 'DownloadUrl', description: 'The URL of one file.' }),
    status: 200,
    message: 'Download address.',
    example: {
      data: {
        url: `https://project.supabase.co/storage/v1/object/sign/media/${ASSET_ID}?token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln`,
        expiresAt: AT,
      },
    },
    handle: getDownloadUrl,
  },
  {
    id: 'get_download_urls',
    onlyReads: true,
    isNeverStale: true,
    method: 'post',
    path: '/uploads/download-urls',
    tag: 'Uploads',
    summary: 'Get the URLs to download many files',
    description:
      'For a page of cards. Leaves out files that the caller may not see. Guests see the files of public posts and of their comments. A URL lives 15 to 30 minutes and stays the same within a quarter of an hour, so that clients can cache the file.',
    auth: 'optional',
    body: DownloadRequest,
    data: DownloadUrls,
    status: 200,
    message: 'Download addresses.',
    example: {
      body: { assetIds: [ASSET_ID], variant: 'thumbnail' },
      data: {
        items: [
          {
            assetId: ASSET_ID,
            url: `https://project.supabase.co/storage/v1/object/sign/media/${ASSET_ID}-thumbnail?token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln`,
            expiresAt: AT,
          },
        ],
      },
    },
    handle: getDownloadUrls,
  },
];

const Intent = z.object({ uploadId: z.string(), expiresAt: z.coerce.date() });
const PresignArgs = z.object({ contentType: z.string() });

/** Creates an upload and signs the URL for its file. */
async function presignUpload({ args, services: { signedUrls }, run }: Call): Promise<unknown> {
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
const PendingUpload = z.object({
  upload: z.object({ contentType: z.string(), sizeBytes: z.int(), bucket, assetId: z.string() }).nullable(),
});

/**
 * Reads what the client announced, checks and stores the uploaded file, and creates its asset. Postgres decides at the end,
 * because a concurrent completion may have been faster.
 */
export async function completeUpload({ args, services: { intake }, look, run }: Call): Promise<unknown> {
  const { upload } = PendingUpload.parse(await look());
  const content = upload && (await intake.take({ ...CompletionArgs.parse(args), ...upload }));
  return run({ ...args, content });
}

const DownloadArgs = z.object({ assetId: z.string() });
const Download = z.object({ bucket, fileName: z.string().nullable(), expiresAt: z.coerce.date() });

/** Signs the URL of an asset. */
async function getDownloadUrl({ args, services: { signedUrls }, run }: Call): Promise<unknown> {
  const { assetId } = DownloadArgs.parse(args);
  const { bucket, fileName, expiresAt } = Download.parse(await run(args));
  return { url: await signedUrls.download(bucket, assetId, expiresAt, fileName), expiresAt };
}

const Downloads = z.object({
  issuedAt: z.coerce.date(),
  expiresAt: z.coerce.date(),
  items: z.array(z.object({ assetId: z.string(), bucket, fileName: z.string().nullable() })),
});

/** Signs the URLs of many assets. */
async function getDownloadUrls({ args, services: { signedUrls }, run }: Call): Promise<unknown> {
  const { variant } = DownloadRequest.parse(args);
  const { issuedAt, expiresAt, items } = Downloads.parse(await run(args));
  return {
    items: items.map(({ assetId, bucket, fileName }) => {
      const key = variant === 'thumbnail' ? buildThumbnailKey(assetId) : assetId;
      return {
        assetId,
        url: signedUrls.stableDownload({ bucket, key, fileName }, { issuedAt, expiresAt }),
        expiresAt,
      };
    }),
  };
}
