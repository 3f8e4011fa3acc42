import { z } from 'zod';
import { id, nothing, page, postPage } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { author, card, POST_ID } from '../examples.ts';
import { FeedCard, NewPost, NewRepost, PostCard, PostDetail } from './schemas.ts';

const permissions = {
  canVote: false,
  canComment: true,
  canRepost: true,
  canShareToFeed: true,
  canShareToHubs: false,
  canDelete: false,
};

const { voteDistribution: _, ...cardWithoutVotes } = card;
const { article, thoughtText, sliderText, slider, isShareable } = card;

const repost = {
  ...cardWithoutVotes,
  id: '01900000-0000-7000-8000-0000000000b6',
  author,
  thoughtText: 'Three, if you ask me.',
  sliderText: null,
  slider: null,
  sourcePostId: POST_ID,
  sourcePost: { article, thoughtText, sliderText, slider, isShareable },
  viewerVote: null,
  voteScope: null,
  voteSummary: null,
};

/** Posts (docs/product.md PO1-PO18). */
export const posts: readonly Operation[] = [
  {
    id: 'get_home_feed',
    method: 'get',
    path: '/posts',
    tag: 'Posts',
    summary: 'List the home feed',
    description:
      'Each post appears once, newest event first. `trending` ranks the same posts: first those with votes, comments, reposts or feed shares in the last seven days, by a score with a half-life of twelve hours; then the others, newest first. A cursor belongs to its feed and sort. A caller without sources of their own, such as a guest, gets the posts of the default feed users. `hubId` selects the posts of that Hub.',
    auth: 'optional',
    reads: 'feeds',
    query: z.object({
      ...postPage,
      hubId: id.optional(),
      sort: z.enum(['recent', 'trending']).default('recent').meta({ id: 'FeedSort' }),
    }),
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
    description: 'Takes an article, a thought, a slider, or any combination of them.',
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
    summary: "Get a post with the viewer's permissions",
    description: '`hubId` selects the votes of that Hub.',
    auth: 'optional',
    params: { postId: 'POST_NOT_FOUND' },
    query: z.object({ hubId: id.optional() }),
    data: PostDetail,
    status: 200,
    message: 'Post.',
    errors: ['FORBIDDEN'],
    example: { data: { ...card, permissions } },
  },
  {
    id: 'create_repost',
    method: 'post',
    path: '/posts/{postId}/reposts',
    tag: 'Posts',
    summary: 'Repost a post with a thought or a slider',
    description: 'A private original and a Hub target need level 4.',
    auth: 'required',
    level: 3,
    params: { postId: 'POST_NOT_FOUND' },
    body: NewRepost,
    data: PostDetail,
    status: 201,
    message: 'Repost published.',
    errors: ['REPOST_NOT_ALLOWED'],
    example: {
      body: { thoughtText: 'Three, if you ask me.', visibility: 'public' },
      data: { ...repost, permissions: { ...permissions, canRepost: false, canDelete: true } },
    },
  },
  {
    id: 'list_frames',
    method: 'get',
    path: '/posts/{postId}/frames',
    tag: 'Posts',
    summary: 'List a post and its reposts, oldest first',
    description:
      'Takes the id of the post or of any repost, and lists those that the viewer sees. `hubId` selects the votes of that Hub.',
    auth: 'optional',
    params: { postId: 'POST_NOT_FOUND' },
    query: z.object({ ...postPage, hubId: id.optional() }),
    data: page(PostCard),
    status: 200,
    message: 'Frames.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [{ ...card, repostCount: 1 }, repost], nextCursor: null } },
  },
  {
    id: 'get_profile_feed',
    method: 'get',
    path: '/users/{userId}/feed',
    tag: 'Posts',
    summary: 'List the posts and feed shares of a user',
    description:
      'Each post appears once, at its publication or its last share. A private post appears only to viewers who see it in a Hub.',
    auth: 'optional',
    reads: 'feeds',
    params: { userId: 'USER_NOT_FOUND' },
    query: z.object(postPage),
    data: page(PostCard),
    status: 200,
    message: 'Profile feed.',
    example: { data: { items: [card], nextCursor: null } },
  },
  {
    id: 'delete_post',
    method: 'delete',
    path: '/posts/{postId}',
    tag: 'Posts',
    summary: "Delete a post of the caller's",
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
