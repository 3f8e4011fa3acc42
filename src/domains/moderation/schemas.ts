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
  .strictObject({ reportId: id, state: z.enum(['open']).meta({ id: 'ReportState' }) })
  .meta({ id: 'Report' });

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
    kind: z.enum(['user', 'post', 'comment', 'message', 'hub']).meta({ id: 'ReportTargetKind' }),
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
    content: z
      .string()
      .meta({ description: 'The text of the target; empty without text or after its removal.' }),
    reportCount: count,
    reasons: z.array(ReportReason),
    remarks: z.array(z.string()).meta({ description: 'The last five details by reporters, newest first.' }),
    firstReportedAt: timestamp,
    lastReportedAt: timestamp,
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
