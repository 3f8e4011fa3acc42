import { z } from 'zod';
import { normalizePhone } from '../../auth/phones.ts';
import { text } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author } from '../examples.ts';
import {
  allowedFor,
  pastDecision,
  Reason,
  STAFF_ACTION,
  STAFF_POST,
  target,
  withReason,
  withStatement,
} from './rows.ts';
import { AccountHistory, FoundAccounts, UnmaskedPhone } from './schemas.ts';

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

/** Accounts and Hubs: search, suspension and restoration (docs/product.md S5, S11-S15). */
export const staffAccounts: readonly Operation[] = [
  {
    ...STAFF_POST,
    id: 'find_accounts',
    path: '/admin/accounts/find',
    summary: 'Find accounts',
    description: `Matches an id, a username or a whole phone number. The text is in the body, because logs and histories keep URLs. The audit log records the search. ${allowedFor('support')}`,
    body: z
      .strictObject({
        q: text(1, 80)
          .overwrite((q) => normalizePhone(q) ?? q)
          .describe('An id, a username or a whole phone number.'),
      })
      .describe('A search for accounts.'),
    data: FoundAccounts,
    message: 'Accounts.',
    example: { body: { q: '+12025550103' }, data: { items: [account] } },
  },
  {
    id: 'get_account_history',
    method: 'get',
    path: '/admin/users/{userId}/history',
    tag: 'Staff',
    summary: 'Get the reports about and by an account, and the decisions that concern it',
    description: `The last 50 of each, newest first. ${allowedFor('moderator')}`,
    auth: 'staff',
    ...user,
    data: AccountHistory,
    status: 200,
    message: 'History.',
    errors: ['FORBIDDEN'],
    example: {
      data: {
        reportsAbout: [{ target, reason: 'spam', state: 'actioned', createdAt: AT }],
        reportsBy: [],
        decisions: [{ ...pastDecision, reversedAt: null }],
      },
    },
  },
  {
    ...STAFF_POST,
    ...user,
    id: 'unmask_phone',
    path: '/admin/users/{userId}/unmask',
    summary: 'Show the full phone number of an account',
    description: `The audit log records the caller and the reason. ${allowedFor('support')}`,
    body: Reason,
    data: UnmaskedPhone,
    message: 'The phone.',
    example: { body: { reason: 'She has called from it.' }, data: { phoneNumber: '+12025550103' } },
  },
  {
    ...STAFF_ACTION,
    ...user,
    ...withStatement('spam', 'Every post sold pills.'),
    id: 'suspend_user',
    path: '/admin/users/{userId}/suspend',
    summary: 'Suspend an account',
    description: `Ends its sessions, prevents sign-in, hides its content and closes its open reports. ${allowedFor('moderator')}`,
    message: 'The account is suspended.',
  },
  {
    ...STAFF_ACTION,
    ...user,
    ...withReason('The report named the wrong account.'),
    id: 'restore_user',
    path: '/admin/users/{userId}/restore',
    summary: 'Restore a suspended account',
    description: allowedFor('moderator'),
    message: 'The account is as it was.',
  },
  {
    ...STAFF_ACTION,
    ...hub,
    ...withStatement('harassment', 'The Hub was made to harass a neighbour.'),
    id: 'suspend_hub',
    path: '/admin/hubs/{hubId}/suspend',
    summary: 'Suspend a Hub',
    description: `Hides the Hub from everybody and closes its open reports. ${allowedFor('moderator')}`,
    message: 'The Hub is suspended.',
  },
  {
    ...STAFF_ACTION,
    ...hub,
    ...withReason('Its admins have put it right.'),
    id: 'restore_hub',
    path: '/admin/hubs/{hubId}/restore',
    summary: 'Restore a suspended Hub',
    description: `Restores its memberships. ${allowedFor('moderator')}`,
    message: 'The Hub is as it was.',
  },
];
