import { z } from 'zod';
import { id, text, timestamp } from '../../contract/values.ts';
import { attachedPicture, describesPicture, NEEDS_PICTURE, newAttachedPicture } from '../media/schemas.ts';
import { UserLite } from '../people/schemas.ts';

export const Comment = z
  .strictObject({
    id: id.describe('The id of the comment.'),
    postId: id.describe('The post under which it stands.'),
    parentCommentId: id.nullable().describe('The root of its thread; null for a root.'),
    author: UserLite,
    text: z.string().nullable().describe('Null for a picture without a text, and where `isDeleted` is true.'),
    ...attachedPicture,
    replyCount: z
      .int()
      .nonnegative()
      .describe('Replies in its thread, the same number for everybody; 0 for a reply.'),
    createdAt: timestamp.describe('Time when it was written.'),
    isDeleted: z.boolean().meta({
      description:
        'A root without text and author: deleted, or of an author who is hidden from the caller or from everybody.',
    }),
  })
  .meta({ id: 'Comment', description: 'A comment with the public profile of its author.' });

/** The body of POST …/comments. */
export const NewComment = z
  .strictObject({
    text: text(1, 2000).nullish().describe('Needed without an `assetId`; `@username` mentions that person.'),
    ...newAttachedPicture,
    parentCommentId: id.nullish().meta({ description: 'A reply to a reply joins its thread.' }),
  })
  .refine(({ text, assetId }) => Boolean(text ?? assetId), { message: 'Write something, or add a picture.' })
  .refine(describesPicture, NEEDS_PICTURE)
  .meta({ id: 'NewComment', description: 'A comment: a text, a picture or both.' });
