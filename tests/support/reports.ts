import { type Client, type Reply, refusal } from './client.ts';
import type { UserRef } from './people.ts';

/** Replies to a report of a missing or hidden target. */
export const NOT_FOUND = {
  users: refusal(404, 'USER_NOT_FOUND'),
  posts: refusal(404, 'POST_NOT_FOUND'),
  hubs: refusal(404, 'HUB_NOT_FOUND'),
  comments: refusal(404, 'COMMENT_NOT_FOUND'),
} as const;

export type Reportable = keyof typeof NOT_FOUND;

export const REPORTABLES = ['users', 'posts', 'hubs', 'comments'] as const satisfies Reportable[];

export function requestReport(
  reporter: Client,
  things: 'users' | 'posts' | 'hubs' | 'comments' | 'messages',
  { id }: UserRef,
  fields: object = {},
): Promise<Reply> {
  return reporter.post(`/reports/${things}/${id}`, { reason: 'spam', ...fields });
}
