import { z } from 'zod';
import { id, listPage, page, text } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, author, POST_ID } from '../examples.ts';
import { because, of, Reason, STAFF_ACT, STAFF_POST } from './rows.ts';
import { FoundAccounts, OpenReport, UnmaskedPhone, Visibility } from './schemas.ts';

const report = {
  reportId: '01900000-0000-7000-8000-0000000000f2',
  target: { kind: 'post', id: POST_ID, name: author.username },
  authorId: author.id,
  content: 'Four working days are enough',
  reportCount: 2,
  reasons: ['spam'],
  remarks: ['The same link under every post.'],
  firstReportedAt: AT,
  lastReportedAt: AT,
  claimedBy: null,
};

const visibility = {
  rules: [
    { rule: 'it is public', holds: true, detail: 'public' },
    { rule: 'so the viewer sees it', holds: true, detail: null },
  ],
};

const params = { reportId: 'REPORT_NOT_FOUND' } as const;

/** The queue of reports, for staff to decide about. */
export const staffReports: readonly Operation[] = [
  {
    id: 'list_reports',
    method: 'get',
    path: '/admin/reports',
    tag: 'Staff',
    summary: 'What people have reported, oldest first',
    description: `All open reports of one thing are one item; deciding about it decides about them all. ${of('moderator')}`,
    auth: 'staff',
    query: z.object(listPage),
    data: page(OpenReport),
    status: 200,
    message: 'Open reports.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [report], nextCursor: null } },
  },
  {
    ...STAFF_ACT,
    id: 'claim_report',
    path: '/admin/reports/{reportId}/claim',
    summary: 'Look into a report',
    description: `For an hour nobody else decides about it. ${of('moderator')}`,
    params,
    message: 'It is yours for an hour.',
    errors: ['REPORT_CLAIMED'],
    example: { data: {} },
  },
  {
    ...STAFF_ACT,
    id: 'release_report',
    path: '/admin/reports/{reportId}/release',
    summary: 'Leave a report to others',
    description: of('moderator'),
    params,
    message: 'It is for others to look into.',
    errors: ['REPORT_CLAIMED'],
    example: { data: {} },
  },
  {
    ...STAFF_ACT,
    ...because('The joke is a year old and between friends.'),
    id: 'dismiss_report',
    path: '/admin/reports/{reportId}/dismiss',
    summary: 'Decide that nothing is wrong',
    description: of('moderator'),
    params,
    message: 'Dismissed.',
    errors: ['REPORT_CLAIMED'],
  },
  {
    ...STAFF_ACT,
    ...because('It sells pills.'),
    id: 'remove_content',
    path: '/admin/reports/{reportId}/remove',
    summary: 'Remove the post, comment or message of a report',
    description: of('moderator'),
    params,
    message: 'Removed.',
    errors: ['REPORT_CLAIMED', 'REPORT_NOT_OF_CONTENT'],
  },
  {
    ...STAFF_POST,
    id: 'why_visible',
    path: '/admin/posts/{postId}/why-visible',
    summary: 'Why somebody sees a post, or does not',
    description: `By each rule; a guest where viewerId is null. That somebody asked is written down. ${of('moderator')}`,
    params: { postId: 'POST_NOT_FOUND' },
    body: z.strictObject({ viewerId: id.nullable() }),
    data: Visibility,
    message: 'Rules.',
    example: { body: { viewerId: null }, data: visibility },
  },
];

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
export const staffAccounts: readonly Operation[] = [
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
