import { z } from 'zod';
import { id, page, postPage } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { FeedCard, PostCard } from '../cards/schemas.ts';
import { card, HUB_ID, hub } from '../examples.ts';

/** Feeds (docs/product.md F1-F16). */
export const feeds: readonly Operation[] = [
  {
    id: 'get_home_feed',
    method: 'get',
    path: '/posts',
    tag: 'Posts',
    summary: 'List the home feed',
    description:
      'Each post appears once, newest event first. `trending` ranks the same posts: first those with votes, comments, reposts or feed shares in the last seven days, by a score with a half-life of twelve hours; then the others, newest first. A cursor belongs to its feed and sort. A caller without sources of their own, such as a guest, gets the posts of the default feed users. `hubId` selects the posts of that Hub.',
    auth: 'optional',
    query: z.object({
      ...postPage,
      hubId: id.optional().describe('A Hub of the caller, whose feed to list.'),
      sort: z
        .enum(['recent', 'trending'])
        .default('recent')
        .meta({ id: 'FeedSort', description: 'Newest event first, or by recent activity.' })
        .describe('The order of the feed.'),
    }),
    data: page(FeedCard),
    status: 200,
    message: 'Home feed.',
    example: { data: { items: [{ ...card, feedContext: 'default_feed_user' }], nextCursor: null } },
  },
  {
    id: 'get_hub_feed',
    method: 'get',
    path: '/hubs/{hubId}/feed',
    tag: 'Hubs',
    summary: 'List the posts of a Hub, last placed or shared first',
    auth: 'required',
    level: 4,
    params: { hubId: 'HUB_NOT_FOUND' },
    query: z.object(postPage),
    data: page(FeedCard),
    status: 200,
    message: 'Hub feed.',
    example: {
      data: {
        items: [
          {
            ...card,
            visibility: 'public_hub',
            hubs: [{ id: HUB_ID, name: hub.name }],
            feedContext: 'joined_hub_post',
          },
        ],
        nextCursor: null,
      },
    },
  },
  {
    id: 'get_profile_feed',
    method: 'get',
    path: '/users/{userId}/feed',
    tag: 'Posts',
    summary: 'List the posts and feed shares of a user',
    description:
      'Each post appears once, at its publication or its last share. A private post appears only to viewers who see it in a Hub. No card has `authorPhoneNumber`.',
    auth: 'optional',
    params: { userId: 'USER_NOT_FOUND' },
    query: z.object(postPage),
    data: page(PostCard),
    status: 200,
    message: 'Profile feed.',
    example: { data: { items: [card], nextCursor: null } },
  },
];
