import { z } from 'zod';
import { id, pattern, text, timestamp } from '../../contract/values.ts';

/** What a file is uploaded for. */
export const Purpose = z
  .enum(['profile_photo', 'hub_photo', 'post_image', 'document'])
  .meta({ id: 'UploadPurpose' });

/** The types of files that are taken. */
export const ContentType = z.enum(['image/jpeg', 'image/png', 'image/webp', 'application/pdf']);

/** A SHA-256 in hex. */
export const Checksum = pattern(/^[0-9a-fA-F]{64}$/, 'Must be 64 hex characters.').toLowerCase();

/** The body of POST /uploads/presign. */
export const NewUpload = z
  .strictObject({
    purpose: Purpose,
    contentType: ContentType.meta({ description: 'An image; for a document, application/pdf.' }),
    sizeBytes: z
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .meta({ description: 'At most 10 MiB, for a document 20 MiB.' }),
    fileName: text(1, 255).optional(),
  })
  .meta({ id: 'NewUpload' });

/** Where and how to PUT the file. */
export const PresignedUpload = z
  .strictObject({
    uploadId: id,
    uploadUrl: z.url(),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()),
    expiresAt: timestamp,
  })
  .meta({ id: 'PresignedUpload' });

const side = z.int().positive().nullable();

/** How large a picture is as displayed, and what to show until it is there; null for a document. */
export const picture = {
  width: side,
  height: side,
  blurhash: z.string().nullable().meta({ description: 'Null for very large images as well.' }),
};

/** A completed upload. */
export const Asset = z
  .strictObject({
    assetId: id,
    purpose: Purpose,
    contentType: ContentType,
    sizeBytes: z.int().positive().meta({ description: 'Of the file as it was uploaded.' }),
    checksum: Checksum.meta({ description: 'SHA-256 of the file as it was uploaded, in hex.' }),
    ...picture,
  })
  .meta({ id: 'Asset' });
