import { z } from 'zod';
import { HubName, id, idOrEmpty, text, timestamp } from '../../contract/values.ts';
import { attachedPicture, describesPicture, NEEDS_PICTURE, newAttachedPicture } from '../media/schemas.ts';

const count = z.int().nonnegative();

/** The author in a Hub: a member with phone, a former member with username, a suspended or ended account with neither. */
export const HubDiscussionAuthor = z
  .strictObject({
    userId: idOrEmpty,
    displayName: z.string(),
    profilePhotoUrl: z.url().nullable(),
    phoneNumber: z.string().nullable().meta({ description: 'For active members only.' }),
    publicUsername: z.string().nullable().meta({ description: 'For former members only.' }),
    isAnonymous: z.boolean(),
    isFormerMember: z.boolean(),
  })
  .meta({ id: 'HubDiscussionAuthor' });

const DiscussionPreview = z
  .strictObject({
    thoughtText: z.string().nullable(),
    sliderText: z.string().nullable(),
    articleTitle: z.string().nullable(),
    author: HubDiscussionAuthor,
  })
  .meta({ id: 'HubDiscussionPreview' });

const discussion = {
  id,
  hubId: id,
  postId: id,
  preview: DiscussionPreview,
  messageCount: count,
  lastActivityAt: timestamp,
  viewerSaved: z.boolean(),
  unreadCount: z.int().min(0).max(100).meta({
    description:
      'Messages of others since the viewer joined or last marked the discussion as read, at most 100.',
  }),
};

/** The discussion of a post in a Hub. */
export const Discussion = z.strictObject(discussion).meta({ id: 'HubDiscussion' });

/** The unread messages of a discussion after it was marked as read. */
export const ReadState = z.strictObject({ unreadCount: count }).meta({ id: 'HubDiscussionReadState' });

/** A message in a discussion. */
export const Message = z
  .strictObject({
    id,
    discussionId: id,
    parentMessageId: id.nullable(),
    author: HubDiscussionAuthor,
    text: z
      .string()
      .nullable()
      .meta({ description: 'Null for a message with only an asset, and for a deleted one.' }),
    ...attachedPicture,
    replyCount: count,
    createdAt: timestamp,
    isDeleted: z.boolean().meta({
      description: 'A message without text and picture: deleted, or by a suspended author.',
    }),
  })
  .meta({ id: 'HubMessage' });

/** A saved discussion with its Hub and its earliest messages. */
export const SavedDiscussion = z
  .strictObject({
    ...discussion,
    hub: HubName,
    previewMessages: z.array(Message).max(3),
  })
  .meta({ id: 'SavedHubDiscussion' });

/** The body of POST …/messages. */
export const NewMessage = z
  .strictObject({
    text: text(1, 2000).nullish(),
    ...newAttachedPicture,
    parentMessageId: id.nullish().meta({ description: 'A reply to a reply joins its thread.' }),
  })
  .refine(({ text, assetId }) => Boolean(text ?? assetId), { message: 'Needs a text or an assetId.' })
  .refine(describesPicture, NEEDS_PICTURE)
  .meta({ id: 'NewHubMessage' });
