import { z } from 'zod';
import { HubName, id, idOrEmpty, text, timestamp } from '../../contract/values.ts';
import { attachedPicture, describesPicture, NEEDS_PICTURE, newAttachedPicture } from '../media/schemas.ts';

const count = z.int().nonnegative();

export const HubDiscussionAuthor = z
  .strictObject({
    userId: idOrEmpty,
    displayName: z
      .string()
      .describe(
        'The name of the Hub profile, of a former member the public one; empty for an anonymous author.',
      ),
    profilePhotoUrl: z
      .url()
      .nullable()
      .describe('The photo of the Hub profile, of a former member the public one; null without one.'),
    phoneNumber: z.string().nullable().meta({ description: 'For active members only.' }),
    publicUsername: z.string().nullable().meta({ description: 'For former members only.' }),
    isAnonymous: z.boolean().describe('True for an ended or suspended account, and for a deleted message.'),
    isFormerMember: z
      .boolean()
      .describe('True for everybody but active members, anonymous authors included.'),
  })
  .meta({
    id: 'HubDiscussionAuthor',
    description:
      'An author in a Hub: a member with phone, a former member with username, anybody else with neither.',
  });

const DiscussionPreview = z
  .strictObject({
    thoughtText: z.string().nullable().describe('Null without a thought.'),
    sliderText: z.string().nullable().describe('Null without a slider.'),
    articleTitle: z.string().nullable().describe('Null without an article, and for one without a title.'),
    author: HubDiscussionAuthor,
  })
  .meta({
    id: 'HubDiscussionPreview',
    description: 'The post of the discussion, in short. Of an ended or suspended author its texts are null.',
  });

const discussion = {
  id: id.describe('The id of the discussion.'),
  hubId: id.describe('The Hub of the discussion; the same post has another discussion in another Hub.'),
  postId: id.describe('The post that the discussion is about.'),
  preview: DiscussionPreview,
  messageCount: count.describe('Roots and replies, without messages that have no content.'),
  lastActivityAt: timestamp.describe(
    'When the last message was written; before the first, when the post was placed.',
  ),
  viewerSaved: z.boolean().describe('Whether the viewer has saved the discussion.'),
  unreadCount: z.int().min(0).max(100).meta({
    description:
      'Messages of others since the viewer joined or last marked the discussion as read, at most 100.',
  }),
};

export const Discussion = z
  .strictObject(discussion)
  .meta({ id: 'HubDiscussion', description: 'The discussion of a post in a Hub.' });

export const ReadState = z
  .strictObject({ unreadCount: count.describe('Always 0.') })
  .meta({ id: 'HubDiscussionReadState', description: 'The state of a discussion that was marked as read.' });

export const Message = z
  .strictObject({
    id: id.describe('The id of the message.'),
    discussionId: id.describe('Its discussion.'),
    parentMessageId: id.nullable().describe('The root of the thread; null for a root.'),
    author: HubDiscussionAuthor,
    text: z
      .string()
      .nullable()
      .meta({ description: 'Null for a message with only an asset, and for a deleted one.' }),
    ...attachedPicture,
    replyCount: count.describe('The replies in the thread; 0 for a reply.'),
    createdAt: timestamp.describe('When the message was written.'),
    isDeleted: z.boolean().meta({
      description: 'A message without text and picture: deleted, or by a suspended author.',
    }),
  })
  .meta({ id: 'HubMessage', description: 'A message in a discussion.' });

export const SavedDiscussion = z
  .strictObject({
    ...discussion,
    hub: HubName,
    previewMessages: z
      .array(Message)
      .max(3)
      .describe('The earliest messages with content, replies included, oldest first.'),
  })
  .meta({
    id: 'SavedHubDiscussion',
    description: 'A saved discussion with its Hub and its earliest messages.',
  });

/** The body of POST …/messages. */
export const NewMessage = z
  .strictObject({
    text: text(1, 2000).nullish().describe('Null, or none, for a picture alone.'),
    ...newAttachedPicture,
    parentMessageId: id.nullish().meta({ description: 'A reply to a reply joins its thread.' }),
  })
  .refine(({ text, assetId }) => Boolean(text ?? assetId), { message: 'Write something, or add a picture.' })
  .refine(describesPicture, NEEDS_PICTURE)
  .meta({ id: 'NewHubMessage', description: 'A text, a picture or both.' });
