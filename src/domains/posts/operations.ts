import { z } from 'zod';
import { id, nothing, SaveState, timestamp } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { appUrl } from '../app-url.ts';
import { AT, POST_ID } from '../examples.ts';

const params = { postId: 'POST_NOT_FOUND' } as const;

/** Feed shares, share links, saved posts, and what takes posts away (docs/product.md PO18-PO20, PO23, H28). */
export const posts: readonly Operation[] = [
  {
    id: 'share_to_feed',
    revokesAccess: false,
    method: 'post',
    path: '/posts/{postId}/share/feed',
    tag: 'Shares',
    summary: "Share a post to the caller's feed",
    description: 'Repeatable; the last share counts. A share creates no repost.',
    auth: 'required',
    level: 2,
    params,
    data: z
      .strictObject({
        shareId: id.describe('Another one for each repetition.'),
        postId: id.describe('The shared post.'),
        sharedAt: timestamp.describe('Time of the last share.'),
      })
      .meta({ id: 'FeedShare', description: "A share of a post to the caller's feed." }),
    status: 201,
    message: 'Shared to your feed.',
    errors: ['RATE_LIMITED'],
    example: {
      data: { shareId: '01900000-0000-7000-8000-0000000000f3', postId: POST_ID, sharedAt: AT },
    },
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
    data: z
      .strictObject({ url: z.url().describe('The address to pass on; it holds the id of the post.') })
      .meta({ id: 'ShareLink', description: 'A link to a post.' }),
    status: 200,
    message: 'Share link.',
    errors: ['POST_NOT_SHAREABLE'],
    example: { data: { url: `https://opine.example/posts/${POST_ID}` } },
    handle: getShareLink,
  },
  {
    id: 'save_post',
    revokesAccess: false,
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
    revokesAccess: false,
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
  {
    id: 'delete_post',
    method: 'delete',
    path: '/posts/{postId}',
    tag: 'Posts',
    summary: "Delete a post of the caller's",
    auth: 'required',
    level: 1,
    params,
    data: nothing,
    status: 200,
    message: 'Post deleted.',
    errors: ['FORBIDDEN'],
    example: { data: {} },
  },
  {
    id: 'remove_hub_post',
    method: 'delete',
    path: '/hubs/{hubId}/posts/{postId}',
    tag: 'Hubs',
    summary: 'Take a post out of a Hub',
    description:
      'For admins. Deletes the discussion of the post in the Hub. The post stays elsewhere and for its author. Sharing it into the Hub again shows its earlier votes again.',
    auth: 'required',
    level: 4,
    params: { hubId: 'HUB_NOT_FOUND', ...params },
    data: nothing,
    status: 200,
    message: 'Post removed.',
    example: { data: {} },
  },
];

const Shared = z.object({ postId: z.string() });

/** Returns the URL of a post. Postgres checks whether the caller may share it. */
async function getShareLink({ args, services, run }: Call): Promise<unknown> {
  const { postId } = Shared.parse(await run(args));
  return { url: appUrl(services, `posts/${postId}`) };
}
