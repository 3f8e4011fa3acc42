import { z } from 'zod';
import { FoundAccounts, UnmaskedPhone } from '../contract/models/staff.ts';
import { text } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { AT, author } from './examples.ts';
import { because, of, Reason, STAFF_ACT, STAFF_POST } from './staff-acts.ts';

const account = {
  userId: author.id,
  username: author.username,
  fullName: author.name,
  phoneHint: '+12…03',
  createdAt: AT,
  endedAt: null,
  suspendedAt: null,
};

const user = { params: { userId: 'USER_NOT_FOUND' } } as const;
const hub = { params: { hubId: 'HUB_NOT_FOUND' } } as const;

/** Accounts and Hubs, for staff to look up, suspend and restore. */
export const staffAccounts: readonly Route[] = [
  {
    ...STAFF_POST,
    id: 'find_accounts',
    path: '/admin/accounts/find',
    summary: 'Look an account up',
    description: `By its id, its username or its whole phone, in the body: addresses are kept in logs and histories. That somebody looked is written down. ${of('support')}`,
    body: z.strictObject({ q: text(1, 80) }),
    data: FoundAccounts,
    message: 'Accounts.',
    example: { body: { q: '+12025550103' }, data: { items: [account] } },
  },
  {
    ...STAFF_POST,
    ...user,
    id: 'unmask_phone',
    path: '/admin/users/{userId}/unmask',
    summary: 'Show the whole phone of an account',
    description: `Who asked, and why, is written down. ${of('support')}`,
    body: Reason,
    data: UnmaskedPhone,
    message: 'The phone.',
    example: { body: { reason: 'She has called from it.' }, data: { phoneNumber: '+12025550103' } },
  },
  {
    ...STAFF_ACT,
    ...user,
    ...because('Sells pills under every post.'),
    id: 'suspend_user',
    path: '/admin/users/{userId}/suspend',
    summary: 'Suspend an account',
    description: `Its sessions end, nobody signs in to it, and what it said is hidden. Open reports of it are closed. ${of('moderator')}`,
    message: 'The account is suspended.',
  },
  {
    ...STAFF_ACT,
    ...user,
    ...because('It was taken for somebody else’s.'),
    id: 'restore_user',
    path: '/admin/users/{userId}/restore',
    summary: 'End the suspension of an account',
    description: of('moderator'),
    message: 'The account is as it was.',
  },
  {
    ...STAFF_ACT,
    ...hub,
    ...because('Made to harass a neighbour.'),
    id: 'suspend_hub',
    path: '/admin/hubs/{hubId}/suspend',
    summary: 'Suspend a Hub',
    description: `It is there for nobody. Open reports of it are closed. ${of('moderator')}`,
    message: 'The Hub is suspended.',
  },
  {
    ...STAFF_ACT,
    ...hub,
    ...because('Its admins have put it right.'),
    id: 'restore_hub',
    path: '/admin/hubs/{hubId}/restore',
    summary: 'End the suspension of a Hub',
    description: `Its members are members again. ${of('moderator')}`,
    message: 'The Hub is as it was.',
  },
];
