import { z } from 'zod';
import { nothing, text } from '../contract/values.ts';

/** What all that staff does has in common, as an operation. */
export const STAFF_ACT = { method: 'post', tag: 'Staff', auth: 'staff', data: nothing, status: 200 } as const;

/** The body of what staff has to say why of, and an example. */
export function because(reason: string) {
  return { body: z.strictObject({ reason: text(1, 500) }), example: { body: { reason }, data: {} } };
}

/** Whom an operation is for, in its description. */
export function of(role: 'support' | 'moderator' | 'admin'): string {
  return {
    support: 'For all of staff.',
    moderator: 'For moderators and admins.',
    admin: 'For admins.',
  }[role];
}
