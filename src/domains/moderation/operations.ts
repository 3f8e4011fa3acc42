import type { Operation } from '../../http/operation.ts';
import { NewReport, Report } from './schemas.ts';

const example = {
  body: { reason: 'spam', details: 'The same link under every post.' },
  data: { reportId: '01900000-0000-7000-8000-0000000000f2', state: 'open' },
};

const shared = {
  method: 'post',
  tag: 'Reports',
  description: 'Sends no notification. A repeat answers the same report while it is open.',
  auth: 'required',
  level: 1,
  body: NewReport,
  data: Report,
  status: 201,
  message: 'Reported.',
  errors: ['RATE_LIMITED'],
  example,
} as const;

/** Reports to staff (docs/product.md S7, S8). */
export const reports: readonly Operation[] = [
  {
    ...shared,
    id: 'report_user',
    path: '/reports/users/{userId}',
    summary: 'Report a person',
    params: { userId: 'USER_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_post',
    path: '/reports/posts/{postId}',
    summary: 'Report a post',
    params: { postId: 'POST_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_hub',
    path: '/reports/hubs/{hubId}',
    summary: 'Report a Hub',
    params: { hubId: 'HUB_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_comment',
    path: '/reports/comments/{commentId}',
    summary: 'Report a comment',
    params: { commentId: 'COMMENT_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_message',
    path: '/reports/messages/{messageId}',
    summary: 'Report a Hub message',
    params: { messageId: 'MESSAGE_NOT_FOUND' },
  },
];
