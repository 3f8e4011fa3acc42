import { z } from 'zod';
import { listPage, page } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author } from '../examples.ts';
import { of, STAFF_ACT } from './rows.ts';
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

/** What staff sees of the service's own work. */
export const staffUpkeep: readonly Operation[] = [
  {
    id: 'list_dead_letters',
    method: 'get',
    path: '/admin/dead-letters',
    tag: 'Staff',
    summary: 'Notifications that could not be sent, oldest first',
    description: of('admin'),
    auth: 'staff',
    query: z.object(listPage),
    data: page(DeadLetter),
    status: 200,
    message: 'Dead letters.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [deadLetter], nextCursor: null } },
  },
  {
    ...STAFF_ACT,
    id: 'requeue_dead_letter',
    path: '/admin/dead-letters/{deadLetterId}/requeue',
    summary: 'Try to send a notification once more',
    description: of('admin'),
    params: { deadLetterId: 'DEAD_LETTER_NOT_FOUND' },
    message: 'It is being sent once more.',
    example: { data: {} },
  },
  {
    id: 'get_staff_health',
    method: 'get',
    path: '/admin/health',
    tag: 'Staff',
    summary: 'How much work waits, and for how long',
    description: of('support'),
    auth: 'staff',
    data: StaffHealth,
    status: 200,
    message: 'Health.',
    example: { data: health },
  },
];
