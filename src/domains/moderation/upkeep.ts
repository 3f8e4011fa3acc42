import { z } from 'zod';
import { listPage, page, text } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author } from '../examples.ts';
import { allowedFor, Reason, STAFF_ACTION } from './rows.ts';
import { BlockedTerms, DeadLetter, DefaultFeedUsers, StaffHealth } from './schemas.ts';

const deadLetter = {
  deadLetterId: '01900000-0000-7000-8000-0000000000f4',
  notificationId: '01900000-0000-7000-8000-0000000000f1',
  type: 'post_commented',
  recipientId: author.id,
  channel: 'device',
  attemptCount: 10,
  failure: 'messaging/internal-error',
  diedAt: AT,
};

const health = {
  outboxCount: 3,
  outboxAgeSeconds: 0,
  pushCount: 1,
  deadLetterCount: 1,
  unfoldedVoteAgeMinutes: 0,
  accountDeletionCount: 0,
  openReportCount: 2,
};

const { reason } = Reason.shape;
const username = text(1, 31).describe('The username, in any case.');
const term = text(1, 100).describe('A word or phrase, in any case.');

/** Lists of staff, dead letters and the health of the service (docs/product.md S16, S24, N20). */
export const staffUpkeep: readonly Operation[] = [
  {
    id: 'list_default_feed_users',
    method: 'get',
    path: '/admin/default-feed-users',
    tag: 'Staff',
    summary: 'List the default feed users',
    description: allowedFor('support'),
    auth: 'staff',
    data: DefaultFeedUsers,
    status: 200,
    message: 'Default feed users.',
    errors: ['FORBIDDEN'],
    example: {
      data: { items: [{ userId: author.id, username: author.username, fullName: author.name, addedAt: AT }] },
    },
  },
  {
    ...STAFF_ACTION,
    id: 'add_default_feed_user',
    path: '/admin/default-feed-users/add',
    summary: 'Make a person a default feed user',
    description: allowedFor('admin'),
    body: z
      .strictObject({ username, reason })
      .meta({ id: 'DefaultFeedUserChange', description: 'A change of the default feed users.' }),
    message: 'Added.',
    errors: ['USER_NOT_FOUND', 'REASON_MISSING'],
    example: { body: { username: author.username, reason: 'Writes well for newcomers.' }, data: {} },
  },
  {
    ...STAFF_ACTION,
    id: 'remove_default_feed_user',
    path: '/admin/default-feed-users/remove',
    summary: 'Make a person no default feed user any more',
    description: allowedFor('admin'),
    body: z
      .strictObject({ username, reason })
      .meta({ id: 'DefaultFeedUserChange', description: 'A change of the default feed users.' }),
    message: 'Removed.',
    errors: ['USER_NOT_FOUND', 'REASON_MISSING'],
    example: { body: { username: author.username, reason: 'Has stopped writing.' }, data: {} },
  },
  {
    id: 'list_blocked_terms',
    method: 'get',
    path: '/admin/blocked-terms',
    tag: 'Staff',
    summary: 'List the blocked terms',
    description: `A text that holds one is published, and reported by the service. ${allowedFor('moderator')}`,
    auth: 'staff',
    data: BlockedTerms,
    status: 200,
    message: 'Blocked terms.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [{ term: 'cheap pills', addedAt: AT }] } },
  },
  {
    ...STAFF_ACTION,
    id: 'add_blocked_term',
    path: '/admin/blocked-terms/add',
    summary: 'Add a blocked term',
    description: `Whole words, in any case and with any accents. ${allowedFor('moderator')}`,
    body: z
      .strictObject({ term, reason })
      .meta({ id: 'BlockedTermChange', description: 'A change of the blocked terms.' }),
    message: 'Added.',
    errors: ['REASON_MISSING'],
    example: { body: { term: 'cheap pills', reason: 'Fifty reports this week.' }, data: {} },
  },
  {
    ...STAFF_ACTION,
    id: 'remove_blocked_term',
    path: '/admin/blocked-terms/remove',
    summary: 'Remove a blocked term',
    description: allowedFor('moderator'),
    body: z
      .strictObject({ term, reason })
      .meta({ id: 'BlockedTermChange', description: 'A change of the blocked terms.' }),
    message: 'Removed.',
    errors: ['TERM_NOT_FOUND', 'REASON_MISSING'],
    example: { body: { term: 'cheap pills', reason: 'It hits a pharmacy.' }, data: {} },
  },
  {
    id: 'list_dead_letters',
    method: 'get',
    path: '/admin/dead-letters',
    tag: 'Staff',
    summary: 'List dead letters, oldest first',
    description: allowedFor('admin'),
    auth: 'staff',
    query: z.object(listPage),
    data: page(DeadLetter),
    status: 200,
    message: 'Dead letters.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [deadLetter], nextCursor: null } },
  },
  {
    ...STAFF_ACTION,
    id: 'requeue_dead_letter',
    path: '/admin/dead-letters/{deadLetterId}/requeue',
    summary: 'Requeue a dead letter',
    description: allowedFor('admin'),
    params: { deadLetterId: 'DEAD_LETTER_NOT_FOUND' },
    message: 'It is being sent once more.',
    example: { data: {} },
  },
  {
    id: 'get_staff_health',
    method: 'get',
    path: '/admin/health',
    tag: 'Staff',
    summary: 'Get the backlog of the service',
    description: allowedFor('support'),
    auth: 'staff',
    data: StaffHealth,
    status: 200,
    message: 'Health.',
    example: { data: health },
  },
];
