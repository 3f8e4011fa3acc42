import { z } from 'zod';
import { FeedCard, NewPost, PostDetail } from '../contract/models/posts.ts';
import { id, nothing, page, postPage } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { card } from './examples.ts';

const permissions = {
  canVote: false,
  canComment: true,
  canRepost: true,
  canShareToFeed: true,
  canShareToHubs: false,
  canDelete: false,
};

/** Posts (spec.md "E. Posts and comments"). */
export const posts: readonly Route[] = [
  {
    id: 'get_home_feed',
    method: 'get',
    path: '/posts',
    tag: 'Posts',
    summary: 'The home feed, newest first',
    description: 'A guest gets the posts of the default feed users. With `hubId`, the posts of that Hub.',
    auth: 'optional',
    query: z.object({ ...postPage, hubId: id.optional(), sort: z.enum(['recent']).default('recent') }),
    data: page(FeedCard),
    status: 200,
    message: 'Home feed.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [{ ...card, feedContext: 'default_feed_user' }], nextCursor: null } },
  },
  {
    id: 'create_post',
    method: 'post',
    path: '/posts',
    tag: 'Posts',
    summary: 'Publish a post',
    description: 'With an article, a thought, a slider, or any of them together.',
    auth: 'required',
    level: 3,
    body: NewPost,
    data: PostDetail,
    status: 201,
    message: 'Post published.',
    errors: ['FORBIDDEN'],
    example: {
      body: {
        sliderText: 'Four working days are enough',
        slider: { leftLabel: 'Disagree', rightLabel: 'Agree' },
        visibility: 'public',
      },
      data: { ...card, permissions: { ...permissions, canDelete: true } },
    },
  },
  {
    id: 'get_post',
    method: 'get',
    path: '/posts/{postId}',
    tag: 'Posts',
    summary: 'A post with what the viewer may do',
    auth: 'optional',
    params: { postId: 'POST_NOT_FOUND' },
    data: PostDetail,
    status: 200,
    message: 'Post.',
    example: { data: { ...card, permissions } },
  },
  {
    id: 'delete_post',
    method: 'delete',
    path: '/posts/{postId}',
    tag: 'Posts',
    summary: 'Delete an own post',
    auth: 'required',
    level: 1,
    params: { postId: 'POST_NOT_FOUND' },
    data: nothing,
    status: 200,
    message: 'Post deleted.',
    errors: ['FORBIDDEN'],
    example: { data: {} },
  },
];
