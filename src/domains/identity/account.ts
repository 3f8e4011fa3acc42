import { z } from 'zod';
import { nothing, page } from '../../contract/values.ts';
import type { Operation } from '../../http/operation.ts';
import { AT, SESSION_ID } from '../examples.ts';
import { captchaToken, code, phoneNumber, requestCode, verifyPhoneChange } from './codes.ts';
import { OwnSession, SentOtp } from './schemas.ts';

/** The phone of an account and its sessions (docs/product.md I6, I7, I22). */
export const account: readonly Operation[] = [
  {
    id: 'request_phone_change',
    method: 'post',
    path: '/users/me/phone/request',
    tag: 'Sessions',
    summary: "Send a one-time code to the caller's new phone",
    description:
      'As the code request of sign-in, at most five times a day. Whether the number has an account shows only after the right code.',
    auth: 'required',
    level: 3,
    body: z.strictObject({ phoneNumber, captchaToken }).describe('The new phone of the caller.'),
    data: SentOtp,
    status: 200,
    message: 'A code is on its way.',
    errors: ['CAPTCHA_REQUIRED', 'RATE_LIMITED'],
    example: {
      body: { phoneNumber: '+12025550199' },
      data: { phoneNumber: '+12025550199', resendAfterSeconds: 60, expiresAt: AT },
    },
    gateway: 'service',
    handle: requestCode,
  },
  {
    id: 'verify_phone_change',
    method: 'post',
    path: '/users/me/phone/verify',
    tag: 'Sessions',
    summary: "Change the caller's phone number",
    description:
      "Ends the caller's other sessions and sends a text message to the old number. Open invitations to the old number stay with it.",
    auth: 'required',
    level: 3,
    body: z.strictObject({ phoneNumber, code }).describe('The new phone and the code that was sent to it.'),
    data: z
      .strictObject({ phoneNumber: z.string().describe('The new number, in E.164.') })
      .meta({ id: 'ChangedPhone', description: 'The phone of the caller after the change.' }),
    status: 200,
    message: 'Your number has changed.',
    errors: ['OTP_INVALID', 'OTP_EXPIRED', 'PHONE_TAKEN', 'RATE_LIMITED'],
    example: {
      body: { phoneNumber: '+12025550199', code: '4242' },
      data: { phoneNumber: '+12025550199' },
    },
    gateway: 'service',
    handle: verifyPhoneChange,
  },
  {
    id: 'list_sessions',
    method: 'get',
    path: '/users/me/sessions',
    tag: 'Sessions',
    summary: "List the caller's sessions, last used first",
    description: 'One page holds all sessions.',
    auth: 'required',
    level: 1,
    data: page(OwnSession),
    status: 200,
    message: 'Your sessions.',
    example: {
      data: {
        items: [{ id: SESSION_ID, kind: 'ios', createdAt: AT, lastUsedAt: AT, isCurrent: true }],
        nextCursor: null,
      },
    },
  },
  {
    id: 'end_session',
    method: 'delete',
    path: '/users/me/sessions/{sessionId}',
    tag: 'Sessions',
    summary: "End a session of the caller's",
    description:
      'Ends the session, its streams and its push messages at once. The current session is allowed.',
    auth: 'required',
    level: 1,
    params: { sessionId: 'SESSION_NOT_FOUND' },
    data: nothing,
    status: 200,
    message: 'Session ended.',
    example: { data: {} },
  },
];
