import { z } from 'zod';
import { id, listPage, page, SaveState } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author as amara, card, DISCUSSION_ID, HUB_ID, hub, POST_ID } from '../examples.ts';
import { Discussion, Message, NewMessage, SavedDiscussion } from './schemas.ts';

const params = { hubId: 'HUB_NOT_FOUND' } as const;
const ofDiscussion = { ...params, discussionId: 'DISCUSSION_NOT_FOUND' } as const;
const author = {
  userId: amara.id,
  displayName: 'Amara C.',
  profilePhotoUrl: null,
  phoneNumber: '+12025550103',
  publicUsername: null,
  isAnonymous: false,
  isFormerMember: false,
};

const discussion = {
  id: DISCUSSION_ID,
  hubId: HUB_ID,
  postId: POST_ID,
  preview: { thoughtText: null, sliderText: card.sliderText, articleTitle: null, author },
  messageCount: 1,
  lastActivityAt: AT,
  viewerSaved: true,
};

const message = {
  id: '01900000-0000-7000-8000-0000000000d2',
  discussionId: DISCUSSION_ID,
  parentMessageId: null,
  author,
  text: 'Five, if one of them is for the garden.',
  assetId: null,
  replyCount: 0,
  createdAt: AT,
};

/** Discussions of posts in Hubs (docs/product.md D1-D7). */
export const discussions: readonly Operation[] = [
  {
    id: 'list_saved_discussions',
    method: 'get',
    path: '/users/me/saved-discussions',
    tag: 'Hub discussions',
    summary: 'List saved discussions, last saved first',
    description: "Lists discussions of the caller's Hubs, each with its three earliest messages.",
    auth: 'required',
    level: 4,
    query: z.object(listPage),
    data: page(SavedDiscussion),
    status: 200,
    message: 'Saved discussions.',
    example: {
      data: {
        items: [{ ...discussion, hub: { id: HUB_ID, name: hub.name }, previewMessages: [message] }],
        nextCursor: null,
      },
    },
  },
  {
    id: 'list_discussions',
    method: 'get',
    path: '/hubs/{hubId}/discussions',
    tag: 'Hub discussions',
    summary: 'List the discussions of a Hub, last active first',
    description: 'Each post in the Hub has one discussion.',
    auth: 'required',
    level: 4,
    params,
    query: z.object(listPage),
    data: page(Discussion),
    status: 200,
    message: 'Discussions.',
    example: { data: { items: [discussion], nextCursor: null } },
  },
  {
    id: 'save_discussion',
    method: 'post',
    path: '/hubs/{hubId}/discussions/{discussionId}/save',
    tag: 'Hub discussions',
    summary: 'Save a discussion',
    auth: 'required',
    level: 4,
    params: ofDiscussion,
    data: SaveState,
    status: 200,
    creates: true,
    message: 'Discussion saved.',
    example: { data: { saved: true } },
  },
  {
    id: 'unsave_discussion',
    method: 'delete',
    path: '/hubs/{hubId}/discussions/{discussionId}/save',
    tag: 'Hub discussions',
    summary: 'Unsave a discussion',
    auth: 'required',
    level: 4,
    params: ofDiscussion,
    data: SaveState,
    status: 200,
    message: 'Discussion not saved.',
    example: { data: { saved: false } },
  },
  {
    id: 'list_messages',
    method: 'get',
    path: '/hubs/{hubId}/discussions/{discussionId}/messages',
    tag: 'Hub discussions',
    summary: 'List the messages of a discussion, oldest first',
    description: 'Lists the roots of threads. `parentMessageId` selects the replies of one thread.',
    auth: 'required',
    level: 4,
    params: ofDiscussion,
    query: z.object({ parentMessageId: id.optional(), ...listPage }),
    data: page(Message),
    status: 200,
    message: 'Messages.',
    errors: ['MESSAGE_NOT_FOUND'],
    example: { data: { items: [message], nextCursor: null } },
  },
  {
    id: 'create_message',
    method: 'post',
    path: '/hubs/{hubId}/discussions/{discussionId}/messages',
    tag: 'Hub discussions',
    summary: 'Write a message in a discussion',
    description: 'Sends no notification.',
    auth: 'required',
    level: 4,
    params: ofDiscussion,
    body: NewMessage,
    data: Message,
    status: 201,
    message: 'Message sent.',
    errors: ['MESSAGE_NOT_FOUND'],
    example: { body: { text: message.text }, data: message },
  },
];
