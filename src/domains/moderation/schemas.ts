import { z } from 'zod';
import { handle, id, text, timestamp } from '../../contract/values.ts';
import { NotificationType } from '../notifications/schemas.ts';

/** The body of POST /reports/…. */
export const NewReport = z
  .strictObject({
    reason: z.enum([
      'spam',
      'harassment',
      'hate',
      'violence',
      'nudity',
      'misinformation',
      'impersonation',
      'other',
    ]),
    details: text(1, 1000).nullish(),
  })
  .meta({ id: 'NewReport' });

/** A report, as its reporter learns of it. */
export const Report = z.strictObject({ reportId: id, state: z.enum(['open']) }).meta({ id: 'Report' });

/** A session of staff, of which the cookie holds the token. */
export const StaffSession = z
  .strictObject({ email: z.email(), expiresAt: timestamp })
  .meta({ id: 'StaffSession' });

/** What a member of staff may do: each may what those before it may, and more. */
export const StaffRole = z.enum(['support', 'moderator', 'admin']).meta({ id: 'StaffRole' });

/** Who is signed in as staff. */
export const WhoIsSignedIn = StaffSession.extend({ role: StaffRole });

const count = z.int().nonnegative();

/** What staff has to decide about: all open reports of one thing. */
export const OpenReport = z
  .strictObject({
    reportId: id,
    target: z.strictObject({
      kind: z.enum(['user', 'post', 'comment', 'message', 'hub']),
      id,
      name: z.string().nullable().meta({ description: "A Hub's name, else the author's username." }),
    }),
    authorId: id.nullable(),
    content: z.string().meta({ description: 'What it says; empty where that is gone.' }),
    reportCount: count,
    reasons: z.array(NewReport.shape.reason),
    remarks: z.array(z.string()).meta({ description: 'What reporters wrote, the last five, newest first.' }),
    firstReportedAt: timestamp,
    lastReportedAt: timestamp,
    claimedBy: z.string().nullable().meta({ description: 'Who of staff looks into it, for an hour.' }),
  })
  .meta({ id: 'OpenReport' });

/** An account as staff sees it. */
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

/** What a look for accounts finds. */
export const FoundAccounts = z.strictObject({ items: z.array(StaffAccount) });

/** The whole phone of an account, null where it has none. */
export const UnmaskedPhone = z.strictObject({ phoneNumber: z.string().nullable() });

/** Why somebody sees a post or does not: each rule, and their sum at last. */
export const Visibility = z.strictObject({
  rules: z.array(z.strictObject({ rule: z.string(), holds: z.boolean(), detail: z.string().nullable() })),
});

/** A notification that could not be sent however often it was tried. */
export const DeadLetter = z
  .strictObject({
    deadLetterId: id,
    notificationId: id,
    type: NotificationType,
    recipientId: id,
    channel: z.enum(['stream', 'device']),
    attemptCount: count,
    failure: z.string(),
    diedAt: timestamp,
  })
  .meta({ id: 'DeadLetter' });

/** How the work that waits for workers and for staff stands. */
export const StaffHealth = z
  .strictObject({
    outboxCount: count,
    outboxAgeSeconds: count.meta({ description: 'For how long the first of it is overdue.' }),
    pushCount: count,
    deadLetterCount: count,
    unfoldedVoteAgeMinutes: count,
    accountDeletionCount: count,
    openReportCount: count,
  })
  .meta({ id: 'StaffHealth' });
