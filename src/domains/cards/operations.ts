import { z } from 'zod';
import { id, page, postPage, searchText, timestamp } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author, card, HUB_ID, POST_ID } from '../examples.ts';
import { HubShare, NewPost, NewRepost, PostCard, PostDetail } from './schemas.ts';

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

const votesOfHub = id.optional().describe('A Hub of the caller, whose votes to show.');

/** Posts as the app shows, publishes and shares them: as cards (docs/product.md PO1-PO17, PO19, PO21, PO24). */
export const cards: readonly Operation[] = [
  {
    id: 'create_post',
    revokesAccess: false,
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
    errors: ['FORBIDDEN', 'POST_NOT_FOUND', 'RATE_LIMITED'],
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
    query: z.object({ hubId: votesOfHub }),
    data: PostDetail,
    status: 200,
    message: 'Post.',
    example: { data: { ...card, permissions } },
  },
  {
    id: 'create_repost',
    revokesAccess: false,
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
    errors: ['REPOST_NOT_ALLOWED', 'RATE_LIMITED'],
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
    query: z.object({ ...postPage, hubId: votesOfHub }),
    data: page(PostCard),
    status: 200,
    message: 'Frames.',
    example: { data: { items: [{ ...card, repostCount: 1 }, repost], nextCursor: null } },
  },
  {
    id: 'search_posts',
    isNeverStale: true,
    limitsGuests: true,
    method: 'get',
    path: '/search/posts',
    tag: 'Posts',
    summary: 'Search posts by their words, newest first',
    description:
      'Takes words, `"phrases"`, `-not` and `or`. Case and accents do not matter. Searches thoughts, slider texts, and titles and texts of articles. `hubId` limits the search to a Hub of the caller, and selects its votes. No card has `authorPhoneNumber`.',
    auth: 'optional',
    query: z.object({
      q: searchText.describe('The words to find.'),
      hubId: id.optional().describe('A Hub of the caller, in which to search.'),
      ...postPage,
    }),
    data: page(PostCard),
    status: 200,
    message: 'Posts found.',
    errors: ['RATE_LIMITED'],
    example: { data: { items: [card], nextCursor: null } },
  },
  {
    id: 'share_to_hubs',
    revokesAccess: false,
    method: 'post',
    path: '/posts/{postId}/share/hubs',
    tag: 'Shares',
    summary: 'Share a post into Hubs',
    description:
      'Places the post in each Hub, unchanged. A post that is there already moves up in the feeds of the Hub and of its other members, unless the caller was the last to share it there; this sends no notification.',
    auth: 'required',
    level: 4,
    params: { postId: 'POST_NOT_FOUND' },
    body: HubShare,
    data: z
      .strictObject({
        postId: id.describe('The shared post.'),
        hubs: z
          .array(
            z
              .strictObject({
                hubId: id.describe('The id of the Hub.'),
                sharedAt: timestamp.describe(
                  'Since when the post is in the Hub, not the time of a repeated share.',
                ),
                created: z.boolean().describe('Whether the post is new in the Hub.'),
              })
              .meta({ id: 'SharedIntoHub', description: 'A Hub into which a post is shared.' }),
          )
          .describe('In the order of the request.'),
      })
      .meta({ id: 'HubShareResult', description: 'The places of a post in Hubs after a share.' }),
    status: 201,
    message: 'Shared into Hubs.',
    errors: ['POST_NOT_SHAREABLE', 'RATE_LIMITED'],
    example: {
      body: { hubIds: [HUB_ID] },
      data: { postId: POST_ID, hubs: [{ hubId: HUB_ID, sharedAt: AT, created: true }] },
    },
    fromConfig: (config) => ({ pendingVoteKeys: config.PENDING_VOTE_KEY }),
  },
  {
    id: 'list_saved_posts',
    method: 'get',
    path: '/users/me/saved-posts',
    tag: 'Shares',
    summary: 'List saved posts, last saved first',
    auth: 'required',
    level: 2,
    query: z.object(postPage),
    data: page(PostCard),
    status: 200,
    message: 'Saved posts.',
    example: { data: { items: [{ ...card, viewerSaved: true }], nextCursor: null } },
  },
];
