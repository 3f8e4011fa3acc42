import { z } from 'zod';
import { handle, id, text, timestamp } from '../../contract/values.ts';
import { NotificationType } from '../notifications/schemas.ts';

export const ReportReason = z
  .enum(['spam', 'harassment', 'hate', 'violence', 'nudity', 'misinformation', 'impersonation', 'other'])
  .meta({ id: 'ReportReason', description: 'Why something is reported, removed or suspended.' });

/** The body of POST /reports/…. */
export const NewReport = z
  .strictObject({
    reason: ReportReason,
    details: text(1, 1000).nullish().describe('What else staff should know.'),
  })
  .meta({ id: 'NewReport', description: 'A report to staff.' });

export const Report = z
  .strictObject({
    reportId: id.describe('The id of the report.'),
    state: z.enum(['open', 'actioned', 'dismissed']).meta({
      id: 'ReportState',
      description: 'Open until staff decides: `actioned` after a removal or suspension, else `dismissed`.',
    }),
  })
  .meta({ id: 'Report', description: 'A report as its reporter sees it.' });

export const TargetKind = z
  .enum(['user', 'post', 'comment', 'message', 'hub'])
  .meta({ id: 'ReportTargetKind', description: 'What kind of thing a report or decision is about.' });

const targetId = id.describe('The id of this person, post, comment, message or Hub, which may be gone.');
const reportedAt = timestamp.describe('Time of the report.');

export const OwnReport = Report.extend({
  target: z
    .strictObject({ type: TargetKind, id: targetId })
    .meta({ id: 'OwnReportTarget', description: 'What the caller reported.' }),
  reason: ReportReason,
  createdAt: reportedAt,
}).meta({ id: 'OwnReport', description: "A report in its reporter's list." });

const DecisionAction = z
  .enum(['content_removed', 'account_suspended', 'hub_suspended'])
  .meta({ id: 'ModerationAction', description: 'What staff did.' });

const DecisionTarget = z
  .strictObject({
    type: TargetKind,
    id: targetId,
    excerpt: z.string().meta({ description: 'The beginning of the text, or the name of the person or Hub.' }),
  })
  .meta({ id: 'ModerationTarget', description: 'What a decision or a report is about.' });

const decisionId = id.describe('The id of the decision.');
const decidedAt = timestamp.describe('Time of the decision.');
const statement = z.string().meta({ description: 'Why, in the words of staff.' });
const appealText = z.string().describe('Why the decision is wrong, in the words of a person concerned.');

export const Decision = z
  .strictObject({
    id: decisionId,
    action: DecisionAction,
    reason: ReportReason,
    statement,
    target: DecisionTarget,
    decidedAt,
    appeal: z
      .strictObject({
        state: z.enum(['open', 'upheld', 'reversed']).meta({
          id: 'AppealState',
          description: 'Open until another member of staff upholds or reverses the decision.',
        }),
        text: appealText,
        decidedAt: timestamp.nullable().describe('Null while the appeal is open.'),
      })
      .meta({ id: 'ModerationAppeal', description: 'The only appeal against a decision.' })
      .nullable()
      .describe('Null until somebody appeals.'),
  })
  .meta({
    id: 'ModerationDecision',
    description: 'A decision of staff for the people concerned, who never learn who decided.',
  });

const PastDecision = z
  .strictObject({
    decisionId,
    action: DecisionAction,
    reason: ReportReason,
    statement,
    target: DecisionTarget,
    decidedBy: z.string().meta({ description: 'Who decided; they may not decide the appeal.' }),
    decidedAt,
    reversedAt: timestamp.nullable().describe('When staff took the decision back; null while it stands.'),
  })
  .meta({ id: 'PastDecision', description: 'A decision as staff sees it.' });

export const OpenAppeal = PastDecision.omit({ reversedAt: true })
  .extend({
    content: z.string().meta({ description: 'What was removed, while it can be restored; else empty.' }),
    reportId: id.nullable().meta({ description: 'The last report of it, by which staff sees its pictures.' }),
    text: appealText,
    appealedAt: timestamp.describe('Time of the appeal.'),
  })
  .meta({ id: 'OpenAppeal', description: "An entry of staff's queue of appeals." });

const PastReport = z
  .strictObject({
    target: DecisionTarget,
    reason: ReportReason,
    state: Report.shape.state,
    createdAt: reportedAt,
  })
  .meta({ id: 'PastReport', description: 'A report in the history of an account.' });

export const AccountHistory = z
  .strictObject({
    reportsAbout: z
      .array(PastReport)
      .describe('Reports about the person and about their posts, comments and messages.'),
    reportsBy: z.array(PastReport).describe('Reports by the person.'),
    decisions: z.array(PastDecision).describe('Decisions that concern the person.'),
  })
  .meta({
    id: 'AccountHistory',
    description: 'What staff knows of an account: the last 50 of each, newest first.',
  });

export const ReportedMedia = z
  .strictObject({
    items: z
      .array(
        z
          .strictObject({
            assetId: id.describe('The id of the asset.'),
            contentType: z.string().describe('The type of the stored file.'),
            fileName: z.string().nullable().describe('Null where the uploader gave none.'),
            url: z.url().describe('Opens the file in the browser until `expiresAt`.'),
            expiresAt: timestamp.describe('Five minutes after the request.'),
          })
          .meta({ id: 'ReportedFile', description: 'A file with a link to it.' }),
      )
      .describe('Empty without any.'),
  })
  .meta({ id: 'ReportedMedia', description: 'Pictures and documents of what was reported.' });

export const DefaultFeedUsers = z
  .strictObject({
    items: z
      .array(
        z
          .strictObject({
            userId: id.describe('The id of the person.'),
            username: handle.nullable().describe('Null without a profile.'),
            fullName: z.string().nullable().describe('Null without a profile.'),
            addedAt: timestamp.describe('When staff added the person.'),
          })
          .meta({
            id: 'DefaultFeedUser',
            description: 'A person whose public posts fill the feed of callers without sources of their own.',
          }),
      )
      .describe('First added first.'),
  })
  .meta({ id: 'DefaultFeedUsers', description: 'All default feed users.' });

export const BlockedTerms = z
  .strictObject({
    items: z
      .array(
        z
          .strictObject({
            term: z.string().describe('In lower case.'),
            addedAt: timestamp.describe('When staff added the term; texts from before are not searched.'),
          })
          .meta({ id: 'BlockedTerm', description: 'A word or phrase that makes the service report a text.' }),
      )
      .describe('In alphabetical order.'),
  })
  .meta({ id: 'BlockedTerms', description: 'All blocked terms.' });

export const StaffSession = z
  .strictObject({
    email: z.email().describe('The e-mail of the member of staff.'),
    expiresAt: timestamp.describe('Eight hours after sign-in.'),
  })
  .meta({ id: 'StaffSession', description: 'A staff session; the cookie holds its token.' });

export const StaffRole = z
  .enum(['support', 'moderator', 'admin'])
  .meta({ id: 'StaffRole', description: 'The roles of staff; each includes the one before.' });

export const WhoIsSignedIn = StaffSession.extend({ role: StaffRole }).meta({
  id: 'StaffSessionDetail',
  description: 'A staff session and its role.',
});

const count = z.int().nonnegative();

const ReportTarget = z
  .strictObject({
    kind: TargetKind,
    id: targetId,
    name: z.string().nullable().meta({ description: "A Hub's name, else the author's username." }),
  })
  .meta({ id: 'ReportTarget', description: 'What was reported.' });

export const OpenReport = z
  .strictObject({
    reportId: id.describe('The first of the reports, which stands for all of them.'),
    target: ReportTarget,
    authorId: id.nullable().describe('The reported person, or the author; null for a Hub.'),
    content: z.string().meta({
      description: 'The texts of the target as they were reported, alt texts included; empty without text.',
    }),
    isGone: z
      .boolean()
      .meta({ description: 'Whether the target is deleted, so that nothing is left to remove.' }),
    isAuthorGone: z.boolean().meta({ description: 'Whether no account is left to suspend.' }),
    reportCount: count.describe('Open reports of the target.'),
    reasons: z.array(ReportReason).describe('The reasons of all reports, each once.'),
    remarks: z.array(z.string()).meta({ description: 'The last five details by reporters, newest first.' }),
    firstReportedAt: timestamp.describe('Time of the oldest report, by which the queue is ordered.'),
    lastReportedAt: timestamp.describe('Time of the newest report.'),
    isByService: z.boolean().meta({ description: 'Whether it holds a blocked term.' }),
    claimedBy: z
      .string()
      .nullable()
      .meta({ description: 'The e-mail of the staff member who claimed it; a claim lasts an hour.' }),
  })
  .meta({
    id: 'OpenReport',
    description: 'An entry of the report queue: all open reports of one target.',
  });

export const ClosedReport = z
  .strictObject({
    reportId: id.describe('The id of the report.'),
    target: ReportTarget,
    authorId: id.nullable().describe('The reported person, or the author; null for a Hub.'),
    content: z.string().meta({
      description: 'The texts of the target as they were reported; empty without text, and after 90 days.',
    }),
    reason: ReportReason,
    details: z.string().nullable().describe('What else the reporter wrote.'),
    state: z.enum(['actioned', 'dismissed']).meta({
      id: 'ReportOutcome',
      description: 'Whether a removal or suspension followed.',
    }),
    createdAt: reportedAt,
    closedAt: timestamp.nullable().describe('When staff decided; null after 90 days.'),
  })
  .meta({ id: 'ClosedReport', description: 'A report that staff has decided.' });

export const StaffMembers = z
  .strictObject({
    items: z
      .array(
        z
          .strictObject({
            email: z.email().describe('The e-mail of the workspace.'),
            role: StaffRole,
            addedAt: timestamp.describe('When the person was admitted first.'),
            logins: z.array(z.string()).meta({ description: 'The SQL logins that act as this person.' }),
          })
          .meta({ id: 'StaffMember', description: 'A person on the list of staff.' }),
      )
      .describe('In the order of their e-mails.'),
    configuredEmails: z
      .array(z.email())
      .describe('Admins by the configuration of the service (`STAFF_ALLOWED_EMAILS`), listed or not.'),
  })
  .meta({ id: 'StaffMembers', description: 'Who is staff.' });

export const AuditLogEntry = z
  .strictObject({
    entryId: id.describe('The id of the entry.'),
    occurredAt: timestamp.describe('Time of the action.'),
    actor: z
      .string()
      .nullable()
      .describe('The e-mail or SQL login of who acted; null for a sign-in with an invalid token.'),
    action: z.string().describe('What was done, such as `remove_content`.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('What it was done to, and why; it depends on the action.'),
  })
  .meta({ id: 'AuditLogEntry', description: 'An action of staff, or an attempt to sign in as staff.' });

export const StaffNumbers = z
  .strictObject({
    peopleCount: count.describe('People who joined, counted up to 100,000.'),
    postCount: count.describe('Posts, counted up to 100,000.'),
    voteCount: count.describe('Votes until the last full hour.'),
    openReportCount: count.describe('Open reports of any day.'),
  })
  .meta({ id: 'StaffNumbers', description: 'The numbers of the day, which began at midnight in UTC.' });

export const StaffAccount = z
  .strictObject({
    userId: id.describe('The id of the person.'),
    username: handle.nullable().describe('Null before profile basics and after the end of the account.'),
    fullName: z.string().nullable().describe('Null before profile basics and after the end of the account.'),
    phoneHint: z
      .string()
      .nullable()
      .describe('The first three and the last two characters of the phone number; null without one.'),
    createdAt: timestamp.describe('When the account was created.'),
    endedAt: timestamp.nullable().describe('When the account was deleted or merged; null before.'),
    suspendedAt: timestamp.nullable().describe('Null unless the account is suspended.'),
  })
  .meta({ id: 'StaffAccount', description: 'An account as staff sees it.' });

export const FoundAccounts = z
  .strictObject({ items: z.array(StaffAccount).describe('Empty without a match.') })
  .meta({ id: 'FoundAccounts', description: 'The result of an account search.' });

export const UnmaskedPhone = z
  .strictObject({ phoneNumber: z.string().nullable().describe('In E.164; null for an account without one.') })
  .meta({ id: 'UnmaskedPhone', description: 'The full phone number of an account.' });

export const Visibility = z
  .strictObject({
    rules: z
      .array(
        z
          .strictObject({
            rule: z.string().describe('A sentence that is true where the rule holds.'),
            holds: z.boolean().describe('Whether it holds for this viewer and post.'),
            detail: z
              .string()
              .nullable()
              .describe('An explanation, or the Hubs in common; null without one.'),
          })
          .meta({ id: 'VisibilityRule', description: 'A visibility rule and whether it holds.' }),
      )
      .describe('The last one is the result of the others.'),
  })
  .meta({ id: 'VisibilityRules', description: 'The visibility rules of a post for a viewer.' });

export const DeadLetter = z
  .strictObject({
    deadLetterId: id.describe('The id of the dead letter.'),
    notificationId: id.describe('The notification, which stays in the inbox of its recipient.'),
    type: NotificationType,
    recipientId: id.describe('The person whom it did not reach.'),
    channel: z
      .enum(['stream', 'device'])
      .meta({ id: 'DeliveryChannel', description: 'The event stream, or a push message to a device.' }),
    attemptCount: count.describe('Failed attempts.'),
    failure: z.string().describe('The code of the last failure.'),
    diedAt: timestamp.describe('Time of the last attempt.'),
  })
  .meta({
    id: 'DeadLetter',
    description: 'A notification whose delivery by one channel failed after all retries.',
  });

export const StaffHealth = z
  .strictObject({
    outboxCount: count.describe('Notifications that wait for delivery, counted up to 100,000.'),
    outboxAgeSeconds: count.meta({ description: 'How long the oldest row is overdue.' }),
    pushCount: count.describe('Push messages that wait for a retry, counted up to 100,000.'),
    deadLetterCount: count.describe('Dead letters, counted up to 100,000.'),
    unfoldedVoteAgeMinutes: count.describe(
      'Age in whole minutes of the oldest vote that is not folded into its pools.',
    ),
    accountDeletionCount: count.describe('Ended accounts with data left to remove, counted up to 100,000.'),
    openReportCount: count.describe('Open reports; an entry of the queue may hold several.'),
  })
  .meta({ id: 'StaffHealth', description: 'The backlog of workers and staff.' });
