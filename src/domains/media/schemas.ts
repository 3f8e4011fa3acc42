import { z } from 'zod';
import { areDistinct, id, pattern, text, timestamp } from '../../contract/values.ts';

export const Purpose = z.enum(['profile_photo', 'hub_photo', 'post_image', 'document']).meta({
  id: 'UploadPurpose',
  description:
    'Photos get a stable public URL; images and documents are private. A document is a PDF of an article.',
});

/** The accepted types of files. */
export const ContentType = z
  .enum(['image/jpeg', 'image/png', 'image/webp', 'application/pdf'])
  .meta({ id: 'ContentType', description: 'PDF for documents, an image type for all else.' });

/** A SHA-256 in hex. */
export const Checksum = pattern(/^[0-9a-fA-F]{64}$/, 'Must be 64 hex characters.').toLowerCase();

/** The body of POST /uploads/presign. */
export const NewUpload = z
  .strictObject({
    purpose: Purpose,
    contentType: ContentType,
    sizeBytes: z
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .meta({ description: 'At most 10 MiB, or 20 MiB for a document.' }),
    fileName: text(1, 255).optional().describe('The name that a download of the file suggests.'),
  })
  .meta({ id: 'NewUpload', description: 'The file that the client is about to upload.' });

export const PresignedUpload = z
  .strictObject({
    uploadId: id.describe('The id by which the client completes the upload.'),
    uploadUrl: z.url().describe('The signed URL of the storage.'),
    method: z.literal('PUT').describe('The method of the request to `uploadUrl`.'),
    headers: z.record(z.string(), z.string()).describe('The headers that the request must send.'),
    expiresAt: timestamp.describe('When the upload expires, 15 minutes after the first answer for it.'),
  })
  .meta({ id: 'PresignedUpload', description: 'The request that uploads the file.' });

const side = z.int().positive().nullable();

/** The displayed size and the placeholder of an image; null for a document. */
export const picture = {
  width: side.describe('Pixels as displayed; null without an image.'),
  height: side.describe('Pixels as displayed; null without an image.'),
  blurhash: z
    .string()
    .nullable()
    .meta({ description: 'Null for documents. An API in an edge function makes none above 8 megapixels.' }),
};

/** The description of a picture, for people who cannot see it. */
export const altText = text(0, 500)
  .nullish()
  .meta({ description: 'Describes the file for people who cannot see it.' });

/** The picture of a comment or message; null in all fields without one. */
export const attachedPicture = {
  assetId: id.nullable().describe('The picture; null without one.'),
  altText: z
    .string()
    .nullable()
    .describe('Describes the picture for people who cannot see it; null where nobody described it.'),
  ...picture,
};

/** The picture of a new comment or message. */
export const newAttachedPicture = {
  assetId: id.nullish().meta({ description: "A completed post_image of the caller's." }),
  altText,
};

/** Whether a new comment or message has no altText, or an assetId for it. */
export const describesPicture = ({ assetId, altText }: { assetId?: unknown; altText?: unknown }) =>
  !altText || Boolean(assetId);

/** The error of an altText without an assetId. */
export const NEEDS_PICTURE = { path: ['altText'], message: 'A description needs a picture.' };

/** The body of POST /uploads/download-urls. */
export const DownloadRequest = z
  .strictObject({
    assetIds: z
      .array(id)
      .min(1)
      .max(50)
      .refine(areDistinct, { message: 'Each may be there once.' })
      .describe('The answer keeps their order.'),
    variant: z.enum(['original', 'thumbnail']).default('original').meta({
      id: 'DownloadVariant',
      description:
        'A thumbnail is a WebP of at most 640 pixels a side, in sRGB. Documents have none. An API in an edge function makes none above 8 megapixels.',
    }),
  })
  .meta({ id: 'DownloadRequest', description: 'The files whose URLs the caller wants.' });

const AssetDownloadUrl = z
  .strictObject({
    assetId: id.describe('The id from the request.'),
    url: z.url().describe('A signed URL, which stays the same within a quarter of an hour.'),
    expiresAt: timestamp.describe('When the URL expires, 15 to 30 minutes from now.'),
  })
  .meta({ id: 'AssetDownloadUrl', description: 'The URL of a file.' });

export const DownloadUrls = z
  .strictObject({
    items: z
      .array(AssetDownloadUrl)
      .describe('In the order of the request, without what the caller may not see or what has no thumbnail.'),
  })
  .meta({ id: 'DownloadUrls', description: 'The URLs of the files that the caller may see.' });

export const Asset = z
  .strictObject({
    assetId: id.describe('The id by which posts, profiles and Hubs refer to the file.'),
    purpose: Purpose,
    contentType: ContentType,
    sizeBytes: z.int().positive().meta({ description: 'The size of the uploaded file.' }),
    checksum: Checksum.meta({ description: 'SHA-256 of the uploaded file, in hex.' }),
    ...picture,
  })
  .meta({ id: 'Asset', description: 'A checked file of its uploader.' });
