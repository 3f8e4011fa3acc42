import { z } from 'zod';
import { id, listPage, page } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import { ASSET_ID, AT, author, POST_ID } from '../examples.ts';
import {
  allowedFor,
  pastDecision,
  STAFF_ACTION,
  STAFF_POST,
  statementText,
  target,
  withReason,
  withStatement,
} from './rows.ts';
import {
  ClosedReport,
  OpenAppeal,
  OpenReport,
  ReportedMedia,
  ReportReason,
  TargetKind,
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

const closedReport = {
  reportId: report.reportId,
  target: report.target,
  authorId: author.id,
  content: report.content,
  reason: 'spam',
  details: null,
  state: 'actioned',
  createdAt: AT,
  closedAt: AT,
};

const reportedFile = {
  assetId: ASSET_ID,
  contentType: 'image/webp',
  fileName: null,
  url: `https://project.supabase.co/storage/v1/object/sign/media/${ASSET_ID}?token=eyJhbGciOiJFUzI1NiJ9.e30.c2ln`,
  expiresAt: AT,
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
    query: z.object({
      ...listPage,
      kind: TargetKind.optional().describe('Lists targets of this kind only.'),
      reason: ReportReason.optional().describe('Lists targets with an open report for this reason only.'),
    }),
    data: page(OpenReport),
    status: 200,
    message: 'Open reports.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [report], nextCursor: null } },
  },
  {
    id: 'list_closed_reports',
    method: 'get',
    path: '/admin/closed-reports',
    tag: 'Staff',
    summary: 'List closed reports, newest first',
    description: allowedFor('moderator'),
    auth: 'staff',
    query: z.object(listPage),
    data: page(ClosedReport),
    status: 200,
    message: 'Closed reports.',
    errors: ['FORBIDDEN'],
    example: { data: { items: [closedReport], nextCursor: null } },
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
        outcome: z
          .enum(['upheld', 'reversed'])
          .meta({ id: 'AppealOutcome', description: 'Whether the decision stands or is taken back.' }),
        statement: statementText,
      })
      .meta({ id: 'AppealDecision', description: 'The outcome of an appeal and why.' }),
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
    body: z
      .strictObject({ viewerId: id.nullable().describe('The id of the person; null for a guest.') })
      .describe('The viewer of the post.'),
    data: Visibility,
    message: 'Rules.',
    example: { body: { viewerId: null }, data: visibility },
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
