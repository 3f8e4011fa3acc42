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
    summary: 'The home feed',
    description:
      'Each post once, newest event first; `trending`: the same posts, first those with activity in the last seven days (votes, comments, reposts, shares to feeds), ranked by it with a half-life of twelve hours, then the others, newest first. A cursor is good for the feed and sort that gave it. Whoever has no sources of their own, a guest for one, gets the posts of the default feed users. With `hubId`, the posts of that Hub.',
    auth: 'optional',
    reads: 'feeds',
    query: z.object({
      ...postPage,
      hubId: id.optional(),
      sort: z.enum(['recent', 'trending']).default('recent'),
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
    description: 'With `hubId`, its votes are those of that Hub.',
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
    summary: 'Repost a post, with a thought or a slider of its own',
    description: 'A private original, and any Hub, needs level 4.',
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
    summary: 'A post and its reposts, oldest first',
    description:
      'Those that the viewer may see, whichever of them is asked for. With `hubId`, their votes are those of that Hub.',
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
    summary: "Somebody's posts, and what they shared to their feed",
    description:
      'Each post once, at its publication or the last share. Private posts only where the viewer may see them anyway.',
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
