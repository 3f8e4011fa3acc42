import { z } from 'zod';
import { handle, id, text, timestamp } from '../../contract/values.ts';
import { NotificationType } from '../notifications/schemas.ts';

/** The reason of a report. */
export const ReportReason = z
  .enum(['spam', 'harassment', 'hate', 'violence', 'nudity', 'misinformation', 'impersonation', 'other'])
  .meta({ id: 'ReportReason' });

/** The body of POST /reports/…. */
export const NewReport = z
  .strictObject({ reason: ReportReason, details: text(1, 1000).nullish() })
  .meta({ id: 'NewReport' });

/** A report as its reporter sees it. */
export const Report = z
  .strictObject({
    reportId: id,
    state: z.enum(['open', 'actioned', 'dismissed']).meta({ id: 'ReportState' }),
  })
  .meta({ id: 'Report' });

/** What a report or a decision is about. */
export const TargetKind = z
  .enum(['user', 'post', 'comment', 'message', 'hub'])
  .meta({ id: 'ReportTargetKind' });

/** A report in its reporter's list. */
export const OwnReport = Report.extend({
  target: z.strictObject({ type: TargetKind, id }).meta({ id: 'OwnReportTarget' }),
  reason: ReportReason,
  createdAt: timestamp,
}).meta({ id: 'OwnReport' });

const DecisionAction = z
  .enum(['content_removed', 'account_suspended', 'hub_suspended'])
  .meta({ id: 'ModerationAction' });

const DecisionTarget = z
  .strictObject({
    type: TargetKind,
    id,
    excerpt: z.string().meta({ description: 'The beginning of the text, or the name of the person or Hub.' }),
  })
  .meta({ id: 'ModerationTarget' });

/** A decision of staff as the people concerned see it. */
export const Decision = z
  .strictObject({
    id,
    action: DecisionAction,
    reason: ReportReason,
    statement: z.string().meta({ description: 'Why, in the words of staff.' }),
    target: DecisionTarget,
    decidedAt: timestamp,
    appeal: z
      .strictObject({
        state: z.enum(['open', 'upheld', 'reversed']).meta({ id: 'AppealState' }),
        text: z.string(),
        decidedAt: timestamp.nullable(),
      })
      .meta({ id: 'ModerationAppeal' })
      .nullable(),
  })
  .meta({ id: 'ModerationDecision' });

const PastDecision = z
  .strictObject({
    decisionId: id,
    action: DecisionAction,
    reason: ReportReason,
    statement: z.string(),
    target: DecisionTarget,
    decidedBy: z.string().meta({ description: 'Who decided; they may not decide the appeal.' }),
    decidedAt: timestamp,
    reversedAt: timestamp.nullable(),
  })
  .meta({ id: 'PastDecision' });

/** An entry of staff's queue of appeals. */
export const OpenAppeal = PastDecision.omit({ reversedAt: true })
  .extend({
    content: z.string().meta({ description: 'What was removed, while it can be restored; else empty.' }),
    reportId: id.nullable().meta({ description: 'The last report of it, by which staff sees its pictures.' }),
    text: z.string(),
    appealedAt: timestamp,
  })
  .meta({ id: 'OpenAppeal' });

const PastReport = z
  .strictObject({
    target: DecisionTarget,
    reason: ReportReason,
    state: Report.shape.state,
    createdAt: timestamp,
  })
  .meta({ id: 'PastReport' });

/** What staff knows of an account. */
export const AccountHistory = z
  .strictObject({
    reportsAbout: z.array(PastReport),
    reportsBy: z.array(PastReport),
    decisions: z.array(PastDecision),
  })
  .meta({ id: 'AccountHistory' });

/** Pictures and documents of what was reported. */
export const ReportedMedia = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          assetId: id,
          contentType: z.string(),
          fileName: z.string().nullable(),
          url: z.url(),
          expiresAt: timestamp,
        })
        .meta({ id: 'ReportedFile' }),
    ),
  })
  .meta({ id: 'ReportedMedia' });

/** The default feed users. */
export const DefaultFeedUsers = z
  .strictObject({
    items: z.array(
      z
        .strictObject({
          userId: id,
          username: handle.nullable(),
          fullName: z.string().nullable(),
          addedAt: timestamp,
        })
        .meta({ id: 'DefaultFeedUser' }),
    ),
  })
  .meta({ id: 'DefaultFeedUsers' });

/** The blocked terms. */
export const BlockedTerms = z
  .strictObject({
    items: z.array(z.strictObject({ term: z.string(), addedAt: timestamp }).meta({ id: 'BlockedTerm' })),
  })
  .meta({ id: 'BlockedTerms' });

/** A staff session; the cookie holds its token. */
export const StaffSession = z
  .strictObject({ email: z.email(), expiresAt: timestamp })
  .meta({ id: 'StaffSession' });

/** The roles of staff; each includes the one before. */
export const StaffRole = z.enum(['support', 'moderator', 'admin']).meta({ id: 'StaffRole' });

/** A staff session and its role. */
export const WhoIsSignedIn = StaffSession.extend({ role: StaffRole }).meta({ id: 'StaffSessionDetail' });

const count = z.int().nonnegative();

const ReportTarget = z
  .strictObject({
    kind: TargetKind,
    id,
    name: z.string().nullable().meta({ description: "A Hub's name, else the author's username." }),
  })
  .meta({ id: 'ReportTarget' });

/** An entry of the report queue: all open reports of one target. */
export const OpenReport = z
  .strictObject({
    reportId: id,
    target: ReportTarget,
    authorId: id.nullable(),
    content: z.string().meta({
      description: 'The texts of the target as they were reported, alt texts included; empty without text.',
    }),
    isGone: z
      .boolean()
      .meta({ description: 'Whether the target is deleted, so that nothing is left to remove.' }),
    isAuthorGone: z.boolean().meta({ description: 'Whether no account is left to suspend.' }),
    reportCount: count,
    reasons: z.array(ReportReason),
    remarks: z.array(z.string()).meta({ description: 'The last five details by reporters, newest first.' }),
    firstReportedAt: timestamp,
    lastReportedAt: timestamp,
    isByService: z.boolean().meta({ description: 'Whether it holds a blocked term.' }),
    claimedBy: z
      .string()
      .nullable()
      .meta({ description: 'The e-mail of the staff member who claimed it; a claim lasts an hour.' }),
  })
  .meta({ id: 'OpenReport' });

/** An account as staff see it. */
export const StaffAccount = z
  .strictObject({
    userId: id,
    username: handle.nullable(),
    fullName: z.string().nullable(),
    phoneHint: z.string().nullable(),
    createdAt: timestamp,
    endedAt: timestamp.nullable(),
    suspendedAt: timestamp.nullable(),
  })
  .meta({ id: 'StaffAccount' });

/** The result of an account search. */
export const FoundAccounts = z.strictObject({ items: z.array(StaffAccount) }).meta({ id: 'FoundAccounts' });

/** The full phone number of an account, or null. */
export const UnmaskedPhone = z
  .strictObject({ phoneNumber: z.string().nullable() })
  .meta({ id: 'UnmaskedPhone' });

/** The visibility rules of a post for a viewer; the last one is the result. */
export const Visibility = z
  .strictObject({
    rules: z.array(
      z
        .strictObject({ rule: z.string(), holds: z.boolean(), detail: z.string().nullable() })
        .meta({ id: 'VisibilityRule' }),
    ),
  })
  .meta({ id: 'VisibilityRules' });

/** A notification whose delivery failed after all retries. */
export const DeadLetter = z
  .strictObject({
    deadLetterId: id,
    notificationId: id,
    type: NotificationType,
    recipientId: id,
    channel: z.enum(['stream', 'device']).meta({ id: 'DeliveryChannel' }),
    attemptCount: count,
    failure: z.string(),
    diedAt: timestamp,
  })
  .meta({ id: 'DeadLetter' });

/** The backlog of workers and staff. */
export const StaffHealth = z
  .strictObject({
    outboxCount: count,
    outboxAgeSeconds: count.meta({ description: 'How long the oldest row is overdue.' }),
    pushCount: count,
    deadLetterCount: count,
    unfoldedVoteAgeMinutes: count,
    accountDeletionCount: count,
    openReportCount: count,
  })
  .meta({ id: 'StaffHealth' });
