import { z } from 'zod';
import { nothing, text } from '../contract/values.ts';

/** What every POST of staff has in common, as an operation. One that answers something asks by its body; else it is an act. */
export const STAFF_POST = { method: 'post', tag: 'Staff', auth: 'staff', status: 200 } as const;

/** What all that staff does has in common. */
export const STAFF_ACT = { ...STAFF_POST, data: nothing } as const;

/** The body of what staff has to say why of. */
export const Reason = z.strictObject({ reason: text(1, 500) });

/** An act that staff has to say why of: its body, and an example. */
export function because(reason: string) {
  return { body: Reason, example: { body: { reason }, data: {} } };
}

/** Whom an operation is for, in its description. */
export function of(role: 'support' | 'moderator' | 'admin'): string {
  return {
    support: 'For all of staff.',
    moderator: 'For moderators and admins.',
    admin: 'For admins.',
  }[role];
}
