import { z } from 'zod';
import { id, page, postPage, SaveState, timestamp } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { AT, card, HUB_ID, POST_ID } from '../examples.ts';
import { appUrl } from '../hubs/invitations.ts';
import { HubShare, PostCard } from './schemas.ts';

const params = { postId: 'POST_NOT_FOUND' } as const;
/** Shares, share links and saved posts (docs/product.md PO19-PO23). */
export const shares: readonly Operation[] = [
  {
    id: 'share_to_feed',
    endsNoRights: true,
    method: 'post',
    path: '/posts/{postId}/share/feed',
    tag: 'Shares',
    summary: "Share a post to the caller's feed",
    description: 'Repeatable; the last share counts. A share creates no repost.',
    auth: 'required',
    level: 2,
    params,
    data: z.strictObject({ shareId: id, postId: id, sharedAt: timestamp }).meta({ id: 'FeedShare' }),
    status: 201,
    message: 'Shared to your feed.',
    errors: ['RATE_LIMITED'],
    example: {
      data: { shareId: '01900000-0000-7000-8000-0000000000f3', postId: POST_ID, sharedAt: AT },
    },
  },
  {
    id: 'share_to_hubs',
    endsNoRights: true,
    method: 'post',
    path: '/posts/{postId}/share/hubs',
    tag: 'Shares',
    summary: 'Share a post into Hubs',
    description:
      'Places the post in each Hub, unchanged. A post that is there already moves up in the feeds of the Hub and of its other members, unless the caller was the last to share it there; this sends no notification.',
    auth: 'required',
    level: 4,
    params,
    body: HubShare,
    data: z
      .strictObject({
        postId: id,
        hubs: z.array(
          z
            .strictObject({ hubId: id, sharedAt: timestamp, created: z.boolean() })
            .meta({ id: 'SharedIntoHub' }),
        ),
      })
      .meta({ id: 'HubShareResult' }),
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
    id: 'get_share_link',
    method: 'get',
    path: '/posts/{postId}/share-link',
    tag: 'Shares',
    summary: 'Get the URL of a post for the share sheet',
    auth: 'required',
    level: 2,
    params,
    data: z.strictObject({ url: z.url() }).meta({ id: 'ShareLink' }),
    status: 200,
    message: 'Share link.',
    errors: ['POST_NOT_SHAREABLE'],
    example: { data: { url: `https://opine.example/posts/${POST_ID}` } },
    handle: getShareLink,
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
  {
    id: 'save_post',
    endsNoRights: true,
    method: 'post',
    path: '/posts/{postId}/save',
    tag: 'Shares',
    summary: 'Save a post',
    auth: 'required',
    level: 2,
    params,
    data: SaveState,
    status: 200,
    creates: true,
    message: 'Post saved.',
    example: { data: { saved: true } },
  },
  {
    id: 'unsave_post',
    endsNoRights: true,
    method: 'delete',
    path: '/posts/{postId}/save',
    tag: 'Shares',
    summary: 'Unsave a post',
    auth: 'required',
    level: 2,
    params,
    data: SaveState,
    status: 200,
    message: 'Post not saved.',
    example: { data: { saved: false } },
  },
];

const Shared = z.object({ postId: z.string() });

/** Returns the URL of a post. Postgres checks whether the caller may share it. */
async function getShareLink({ args, services, run }: Call): Promise<unknown> {
  const { postId } = Shared.parse(await run(args));
  return { url: appUrl(services, `posts/${postId}`) };
}
