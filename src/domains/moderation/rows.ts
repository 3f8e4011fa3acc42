import { z } from 'zod';
import { nothing, text } from '../../contract/values.ts';
import { AT, POST_ID } from '../examples.ts';
import { ReportReason } from './schemas.ts';

/** Fields shared by every POST of staff. */
export const STAFF_POST = { method: 'post', tag: 'Staff', auth: 'staff', status: 200 } as const;

/** Fields shared by every POST of staff that returns no data. */
export const STAFF_ACTION = { ...STAFF_POST, data: nothing } as const;

/** The body of an operation that requires a reason. */
export const Reason = z
  .strictObject({ reason: text(1, 500).describe('Why, for the audit log.') })
  .meta({ id: 'StaffReason', description: 'The reason of an action of staff.' });

/** Returns the body and the example of an operation that requires a reason. */
export function withReason(reason: string) {
  return { body: Reason, example: { body: { reason }, data: {} } };
}

/** Returns the sentence of a description that says which roles may call the operation. */
export function allowedFor(role: 'support' | 'moderator' | 'admin'): string {
  return {
    support: 'For all of staff.',
    moderator: 'For moderators and admins.',
    admin: 'For admins.',
  }[role];
}

/** The statement of a decision. */
export const statementText = text(1, 2000).meta({ description: 'Why, for the person concerned.' });

const Statement = z
  .strictObject({ reason: ReportReason, statement: statementText })
  .meta({ id: 'StaffStatement', description: 'The reason of a removal or suspension, and its statement.' });

/** Returns the body and the example of a decision with a statement for the person concerned. */
export function withStatement(reason: z.infer<typeof ReportReason>, statement: string) {
  return { body: Statement, example: { body: { reason, statement }, data: {} } };
}

/** An example of what a decision is about. */
export const target = { type: 'post', id: POST_ID, excerpt: 'Four working days are enough' };

/** An example of a decision. */
export const pastDecision = {
  decisionId: '01900000-0000-7000-8000-0000000000f5',
  action: 'content_removed',
  reason: 'spam',
  statement: 'The post sells pills.',
  target,
  decidedBy: 'robin@opine.example',
  decidedAt: AT,
};
