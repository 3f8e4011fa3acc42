import { z } from 'zod';
import { normalizePhone } from '../../auth/phones.ts';
import { id, listPage, page, text } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { ASSET_ID, AT, author, POST_ID } from '../examples.ts';
import {
  allowedFor,
  Reason,
  STAFF_ACTION,
  STAFF_POST,
  statementText,
  withReason,
  withStatement,
} from './rows.ts';
import {
  AccountHistory,
  FoundAccounts,
  OpenAppeal,
  OpenReport,
  ReportedMedia,
  ReportReason,
  TargetKind,
  UnmaskedPhone,
  Visibility,
} from './schemas.ts';

const report = {
  reportId: '01900000-0000-7000-8000-0000000000f2',
  target: { kind: 'post', id: POST_ID, name: author.username },
  authorId: author.id,
  content: 'Four working days are enough',
  isGone: false,
  isAuthorGone: false,
  reportCount: 2,
  reasons: ['spam'],
  remarks: ['The same link under every post.'],
  firstReportedAt: AT,
  lastReportedAt: AT,
  isByService: false,
  claimedBy: null,
};

const reportedFile = {
  assetId: ASSET_ID,
  contentType: 'image/webp',
  fileName: null,
  url: `https://project.supabase.co/storage/v1/object/sign/media/${ASSET_ID}?token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln`,
  expiresAt: AT,
};

const target = { type: 'post', id: POST_ID, excerpt: 'Four working days are enough' };

const pastDecision = {
  decisionId: '01900000-0000-7000-8000-0000000000f5',
  action: 'content_removed',
  reason: 'spam',
  statement: 'The post sells pills.',
  target,
  decidedBy: 'robin@opine.example',
  decidedAt: AT,
};

const appeal = {
  ...pastDecision,
  content: target.excerpt,
  reportId: report.reportId,
  text: 'It quotes a law.',
  appealedAt: AT,
};

const visibility = {
  rules: [
    { rule: 'the post is public', holds: true, detail: 'public' },
    { rule: 'the viewer sees the post', holds: true, detail: null },
  ],
};

const params = { reportId: 'REPORT_NOT_FOUND' } as const;

/** The report queue and the decisions on it (docs/product.md S9, S10, S17). */
export const staffReports: readonly Operation[] = [
  {
    id: 'list_reports',
    method: 'get',
    path: '/admin/reports',
    tag: 'Staff',
    summary: 'List open reports, oldest first',
    description: `One item holds all open reports of a target; a decision closes them all. ${allowedFor('moderator')}`,
    auth: 'staff',
    query: z.object({ ...listPage, kind: TargetKind.optional(), reason: ReportReason.optional() }),
    data: page(OpenReport),
    status: 200,
    message: 'Open reports.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [report], nextCursor: null } },
  },
  {
    ...STAFF_ACTION,
    id: 'claim_report',
    path: '/admin/reports/{reportId}/claim',
    summary: 'Claim a report',
    description: `Keeps other staff from deciding for an hour. ${allowedFor('moderator')}`,
    params,
    message: 'It is yours for an hour.',
    errors: ['REPORT_CLAIMED'],
    example: { data: {} },
  },
  {
    ...STAFF_ACTION,
    id: 'release_report',
    path: '/admin/reports/{reportId}/release',
    summary: 'Release a claimed report',
    description: allowedFor('moderator'),
    params,
    message: 'It is for others to look into.',
    errors: ['REPORT_CLAIMED'],
    example: { data: {} },
  },
  {
    ...STAFF_ACTION,
    ...withReason('The joke is a year old and between friends.'),
    id: 'dismiss_report',
    path: '/admin/reports/{reportId}/dismiss',
    summary: 'Dismiss a report',
    description: allowedFor('moderator'),
    params,
    message: 'Dismissed.',
    errors: ['REPORT_CLAIMED'],
  },
  {
    ...STAFF_ACTION,
    ...withStatement('spam', 'The post sells pills.'),
    id: 'remove_content',
    path: '/admin/reports/{reportId}/remove',
    summary: 'Remove the post, comment or message of a report',
    description: allowedFor('moderator'),
    params,
    message: 'Removed.',
    errors: ['REPORT_CLAIMED', 'REPORT_NOT_OF_CONTENT'],
  },
  {
    ...STAFF_POST,
    id: 'view_reported_media',
    path: '/admin/reports/{reportId}/media',
    summary: 'Get links to the pictures and documents of what was reported',
    description: `A link lives five minutes. The audit log records the look. ${allowedFor('moderator')}`,
    params,
    data: ReportedMedia,
    message: 'Pictures and documents.',
    example: { data: { items: [reportedFile] } },
    handle: signReportedMedia,
  },
  {
    id: 'list_appeals',
    method: 'get',
    path: '/admin/appeals',
    tag: 'Staff',
    summary: 'List open appeals, oldest first',
    description: allowedFor('moderator'),
    auth: 'staff',
    query: z.object(listPage),
    data: page(OpenAppeal),
    status: 200,
    message: 'Open appeals.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [appeal], nextCursor: null } },
  },
  {
    ...STAFF_ACTION,
    id: 'decide_appeal',
    path: '/admin/appeals/{decisionId}/decide',
    summary: 'Decide an appeal',
    description: `Not for the member of staff who took the decision. Reversing restores what can be restored. The person concerned is notified. ${allowedFor('moderator')}`,
    params: { decisionId: 'APPEAL_NOT_FOUND' },
    body: z
      .strictObject({
        outcome: z.enum(['upheld', 'reversed']).meta({ id: 'AppealOutcome' }),
        statement: statementText,
      })
      .meta({ id: 'AppealDecision' }),
    message: 'Decided.',
    errors: ['REASON_MISSING'],
    example: { body: { outcome: 'reversed', statement: 'The post quotes a law.' }, data: {} },
  },
  {
    ...STAFF_POST,
    id: 'why_visible',
    path: '/admin/posts/{postId}/why-visible',
    summary: 'Explain whether a viewer sees a post',
    description: `Lists each visibility rule and whether it holds. A null viewerId stands for a guest. The audit log records the question. ${allowedFor('moderator')}`,
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

/** Accounts and Hubs: search, suspension and restoration (docs/product.md S5, S11-S15). */
export const staffAccounts: readonly Operation[] = [
  {
    ...STAFF_POST,
    id: 'find_accounts',
    path: '/admin/accounts/find',
    summary: 'Find accounts',
    description: `Matches an id, a username or a whole phone number. The text is in the body, because logs and histories keep URLs. The audit log records the search. ${allowedFor('support')}`,
    body: z.strictObject({ q: text(1, 80).overwrite((q) => normalizePhone(q) ?? q) }),
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

const UnsignedMedia = z.object({
  items: z.array(
    z.object({
      assetId: z.string(),
      bucket: z.enum(['photos', 'media']),
      contentType: z.string(),
      fileName: z.string().nullable(),
    }),
  ),
  expiresAt: z.coerce.date(),
});

/** Signs a link to each file of a report, for five minutes. */
async function signReportedMedia({ args, services: { signedUrls }, run }: Call): Promise<unknown> {
  const { items, expiresAt } = UnsignedMedia.parse(await run(args));
  return {
    items: await Promise.all(
      items.map(async ({ bucket, ...file }) => ({
        ...file,
        // Shown in the page, not downloaded.
        url: await signedUrls.download(bucket, file.assetId, expiresAt, null),
        expiresAt: expiresAt.toISOString(),
      })),
    ),
  };
}
