import { z } from 'zod';
import { listPage, page } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author } from '../examples.ts';
import { allowedFor, STAFF_ACTION } from './rows.ts';
import { DeadLetter, StaffHealth } from './schemas.ts';

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

/** Dead letters and the health of the service (docs/product.md S16, N20). */
export const staffUpkeep: readonly Operation[] = [
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
