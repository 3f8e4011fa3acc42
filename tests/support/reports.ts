import { refusal } from './client.ts';

/** What is answered to who reports something that is not there, or hidden from them. */
export const NOT_FOUND = {
  users: refusal(404, 'USER_NOT_FOUND'),
  posts: refusal(404, 'POST_NOT_FOUND'),
  hubs: refusal(404, 'HUB_NOT_FOUND'),
  comments: refusal(404, 'COMMENT_NOT_FOUND'),
} as const;

/** What whoever has a session can report. */
export type Things = keyof typeof NOT_FOUND;

export const ALL_THINGS = ['users', 'posts', 'hubs', 'comments'] as const satisfies Things[];
