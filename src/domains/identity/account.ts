import { nothing, page } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, SESSION_ID } from '../examples.ts';
import { OwnData, ownData } from './export.ts';
import { OwnSession } from './schemas.ts';

/** The account itself (docs/product.md I6, I7, I17), its sessions, and what is kept about it. */
export const account: readonly Operation[] = [
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
  {
    id: 'list_sessions',
    method: 'get',
    path: '/users/me/sessions',
    tag: 'Sessions',
    summary: 'Where one is signed in, last used first',
    description: 'All on one page.',
    auth: 'required',
    level: 1,
    data: page(OwnSession),
    status: 200,
    message: 'Your sessions.',
    example: {
      data: {
        items: [{ id: SESSION_ID, kind: 'ios', createdAt: AT, lastUsedAt: AT, isCurrent: true }],
        nextCursor: null,
      },
    },
  },
  {
    id: 'end_session',
    method: 'delete',
    path: '/users/me/sessions/{sessionId}',
    tag: 'Sessions',
    summary: 'End one of the own sessions',
    description: 'At once, streams and push messages included. It may be the one that asks.',
    auth: 'required',
    level: 1,
    params: { sessionId: 'SESSION_NOT_FOUND' },
    data: nothing,
    status: 200,
    message: 'Session ended.',
    example: { data: {} },
  },
  {
    id: 'export_own_data',
    method: 'get',
    path: '/users/me/export',
    tag: 'Sessions',
    summary: 'All that is kept about oneself',
    description:
      'Three times a day. Of the sections that `incomplete` names there is more than one answer holds: these have the newest of it. Of votes nobody has the position.',
    auth: 'required',
    level: 1,
    data: OwnData,
    status: 200,
    fileName: 'opine.json',
    message: 'All that is kept about you.',
    errors: ['RATE_LIMITED'],
    example: { data: ownData },
  },
];
