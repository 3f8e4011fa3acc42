import { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { listPage, page, text } from '../../contract/values.ts';
import { type Call, hashAddress, type Operation } from '../../http/operation.ts';
import { AT, POST_ID } from '../examples.ts';
import { Decision, NewReport, OwnReport, Report } from './schemas.ts';

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
  errors: ['REPORT_NOT_FOUND', 'RATE_LIMITED'],
  example,
} as const;

/** Reports to staff (docs/product.md S7, S8). */
export const reports: readonly Operation[] = [
  {
    ...shared,
    id: 'report_user',
    revokesAccess: false,
    path: '/reports/users/{userId}',
    summary: 'Report a person',
    params: { userId: 'USER_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_post',
    revokesAccess: false,
    path: '/reports/posts/{postId}',
    summary: 'Report a post',
    params: { postId: 'POST_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_hub',
    revokesAccess: false,
    path: '/reports/hubs/{hubId}',
    summary: 'Report a Hub',
    params: { hubId: 'HUB_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_comment',
    revokesAccess: false,
    path: '/reports/comments/{commentId}',
    summary: 'Report a comment',
    params: { commentId: 'COMMENT_NOT_FOUND' },
  },
  {
    ...shared,
    id: 'report_message',
    revokesAccess: false,
    path: '/reports/messages/{messageId}',
    summary: 'Report a Hub message',
    params: { messageId: 'MESSAGE_NOT_FOUND' },
  },
  {
    id: 'list_own_reports',
    method: 'get',
    path: '/users/me/reports',
    tag: 'Reports',
    summary: "List the caller's reports with their outcomes, newest first",
    auth: 'required',
    level: 1,
    query: z.object(listPage),
    data: page(OwnReport),
    status: 200,
    message: 'Your reports.',
    example: {
      data: {
        items: [
          {
            reportId: example.data.reportId,
            target: { type: 'post', id: POST_ID },
            reason: 'spam',
            state: 'actioned',
            createdAt: AT,
          },
        ],
        nextCursor: null,
      },
    },
  },
];

const decision = {
  id: '01900000-0000-7000-8000-0000000000f5',
  action: 'content_removed',
  reason: 'spam',
  statement: 'The post sells pills.',
  target: { type: 'post', id: POST_ID, excerpt: 'Four working days are enough' },
  decidedAt: AT,
  appeal: null,
};

const appealed = { ...decision, appeal: { state: 'open', text: 'It quotes a law.', decidedAt: null } };

const appealText = text(1, 2000).describe('Why the decision is wrong.');

/** Decisions of staff for the people concerned (docs/product.md S18, S20). */
export const decisions: readonly Operation[] = [
  {
    id: 'list_moderation_decisions',
    method: 'get',
    path: '/users/me/moderation-decisions',
    tag: 'Moderation',
    summary: 'List the decisions of staff that concern the caller, newest first',
    description:
      'Removed content of theirs, the suspension of their account, and of Hubs that they were admin of.',
    auth: 'required',
    level: 1,
    query: z.object(listPage),
    data: page(Decision),
    status: 200,
    message: 'Decisions.',
    example: { data: { items: [decision], nextCursor: null } },
  },
  {
    id: 'appeal_decision',
    revokesAccess: false,
    method: 'post',
    path: '/moderation-decisions/{decisionId}/appeal',
    tag: 'Moderation',
    summary: 'Appeal against a decision',
    description: 'Once, within 180 days. Another member of staff decides about it.',
    auth: 'required',
    level: 1,
    params: { decisionId: 'DECISION_NOT_FOUND' },
    body: z
      .strictObject({ text: appealText })
      .meta({ id: 'NewAppeal', description: 'An appeal by a person concerned.' }),
    data: Decision,
    status: 201,
    message: 'We will look at it again.',
    errors: ['APPEAL_EXISTS', 'APPEAL_TOO_LATE'],
    example: { body: { text: 'It quotes a law.' }, data: appealed },
  },
  {
    id: 'appeal_suspension',
    revokesAccess: false,
    method: 'post',
    path: '/moderation-appeals',
    tag: 'Moderation',
    summary: 'Appeal against the suspension of an account without a session',
    description:
      'The token is in the details of `ACCOUNT_SUSPENDED`, with which sign-in answers. It lives a day.',
    auth: 'none',
    body: z
      .strictObject({
        appealToken: text(1, 4096).describe('The token in the details of `ACCOUNT_SUSPENDED`.'),
        text: appealText,
      })
      .meta({ id: 'NewSuspensionAppeal', description: 'An appeal by a suspended person.' }),
    data: Decision,
    status: 201,
    message: 'We will look at it again.',
    errors: ['UNAUTHORIZED', 'DECISION_NOT_FOUND', 'APPEAL_EXISTS', 'APPEAL_TOO_LATE', 'RATE_LIMITED'],
    example: { body: { appealToken: 'c2VhbGVk', text: 'The account was stolen.' }, data: appealed },
    gateway: 'service',
    handle: appealSuspension,
  },
];

const AppealArgs = z.object({ appealToken: z.string(), text: z.string() });

/** Opens the token and appeals. @throws ApiError UNAUTHORIZED for a bad token */
async function appealSuspension(call: Call): Promise<unknown> {
  const { appealToken, text } = AppealArgs.parse(call.args);
  const appellant = call.services.secrets.openAppealToken(appealToken);
  if (appellant === null) throw new ApiError('UNAUTHORIZED');
  return call.run({ ...appellant, text, addressHash: hashAddress(call) });
}
