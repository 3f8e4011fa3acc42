import { z } from 'zod';
import { id, text, timestamp } from '../../contract/values.ts';
import { UserLite } from '../people/schemas.ts';

/** What somebody says under a post, by their public username. */
export const Comment = z
  .strictObject({
    id,
    postId: id,
    parentCommentId: id.nullable(),
    author: UserLite,
    text: z.string().nullable(),
    assetId: id.nullable(),
    replyCount: z.int().nonnegative(),
    createdAt: timestamp,
    isDeleted: z.boolean().meta({
      description:
        'The root of a thread that was deleted, or whose author is hidden from everybody: without text and author.',
    }),
  })
  .meta({ id: 'Comment' });

/** The body of POST …/comments. */
export const NewComment = z
  .strictObject({
    text: text(1, 2000).nullish(),
    assetId: id.nullish().meta({ description: "A completed post_image of one's own." }),
    parentCommentId: id.nullish().meta({ description: 'A reply to a reply joins its thread.' }),
  })
  .refine(({ text, assetId }) => Boolean(text ?? assetId), { message: 'Needs a text or an assetId.' })
  .meta({ id: 'NewComment' });
