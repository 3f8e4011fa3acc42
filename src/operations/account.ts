import { nothing } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';

/** The account itself (contract.md 3). */
export const account: readonly Route[] = [
  {
    id: 'delete_account',
    method: 'delete',
    path: '/users/me',
    tag: 'Sessions',
    summary: 'End the account',
    description:
      'Sessions, push tokens, phone, contacts and username go at once, and posts are hidden at once and removed. Votes stay counted, without anybody.',
    auth: 'required',
    level: 1,
    data: nothing,
    status: 200,
    message: 'Account ended.',
    example: { data: {} },
  },
];
