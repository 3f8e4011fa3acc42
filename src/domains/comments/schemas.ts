import { z } from 'zod';
import { id, text, timestamp } from '../../contract/values.ts';
import { attachedPicture, describesPicture, NEEDS_PICTURE, newAttachedPicture } from '../media/schemas.ts';
import { UserLite } from '../people/schemas.ts';

/** A comment with the public profile of its author. */
export const Comment = z
  .strictObject({
    id,
    postId: id,
    parentCommentId: id.nullable(),
    author: UserLite,
    text: z.string().nullable(),
    ...attachedPicture,
    replyCount: z.int().nonnegative(),
    createdAt: timestamp,
    isDeleted: z.boolean().meta({
      description: 'A root without text and author: deleted, or by an author hidden from everybody.',
    }),
  })
  .meta({ id: 'Comment' });

/** The body of POST …/comments. */
export const NewComment = z
  .strictObject({
    text: text(1, 2000).nullish(),
    ...newAttachedPicture,
    parentCommentId: id.nullish().meta({ description: 'A reply to a reply joins its thread.' }),
  })
  .refine(({ text, assetId }) => Boolean(text ?? assetId), { message: 'Needs a text or an assetId.' })
  .refine(describesPicture, NEEDS_PICTURE)
  .meta({ id: 'NewComment' });
