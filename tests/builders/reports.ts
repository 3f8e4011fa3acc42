import { refusal } from '../harness/client.ts';

/** What is answered to who reports something that is not there, or hidden from them. */
export const NOT_FOUND = {
  users: refusal(404, 'USER_NOT_FOUND'),
  posts: refusal(404, 'POST_NOT_FOUND'),
  hubs: refusal(404, 'HUB_NOT_FOUND'),
} as const;

/** What can be reported. */
export type Things = keyof typeof NOT_FOUND;

export const ALL_THINGS = ['users', 'posts', 'hubs'] as const satisfies Things[];
