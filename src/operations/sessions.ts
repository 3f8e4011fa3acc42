import { z } from 'zod';
import { LoginConfig, Session, VerifiedSession } from '../contract/models/sessions.ts';
import { deviceToken, idToken, nothing, pattern, text, timestamp } from '../contract/values.ts';
import type { Route } from '../http/handler.ts';
import { requestCode, verifyCode } from './code-handlers.ts';
import { AT, session } from './examples.ts';
import {
  describeLogin,
  exchangeIdToken,
  logOut,
  refreshSession,
  startAnonymousSession,
} from './session-handlers.ts';

const phoneNumber = text(1, 40).meta({ description: 'E.164; spaces, dashes and brackets are dropped.' });
// Wide enough that a token of another kind is refused as what it is, a bad token.
const refreshToken = text(1, 4096);

/** Sign-in and sessions (spec.md "A. Staff and sessions"). */
export const sessions: readonly Route[] = [
  {
    id: 'get_login_config',
    method: 'get',
    path: '/auth/login-config',
    tag: 'Sessions',
    summary: 'What the login screen needs',
    auth: 'none',
    data: LoginConfig,
    status: 200,
    message: 'Login configuration.',
    example: {
      data: {
        appLogoUrl: 'https://opine.example/logo.png',
        methods: ['phone_otp', 'idp', 'anonymous'],
        otp: { length: 4, resendAfterSeconds: 60, expiresInSeconds: 300 },
        legal: {
          termsUrl: 'https://opine.example/terms',
          privacyUrl: 'https://opine.example/privacy',
          termsVersion: '1',
        },
      },
    },
    handle: describeLogin,
  },
  {
    id: 'request_otp',
    method: 'post',
    path: '/auth/otp/request',
    tag: 'Sessions',
    summary: 'Send a one-time code to a phone',
    description:
      'Answers alike for every phone, known or not. A code a minute and five a day for each phone.',
    auth: 'none',
    body: z.strictObject({ phoneNumber }),
    data: z.strictObject({ phoneNumber: z.string(), resendAfterSeconds: z.int(), expiresAt: timestamp }),
    status: 200,
    message: 'A code is on its way.',
    errors: ['RATE_LIMITED'],
    example: {
      body: { phoneNumber: '+12025550103' },
      data: { phoneNumber: '+12025550103', resendAfterSeconds: 60, expiresAt: AT },
    },
    gateway: 'service',
    handle: requestCode,
  },
  {
    id: 'verify_otp',
    method: 'post',
    path: '/auth/otp/verify',
    tag: 'Sessions',
    summary: 'Sign in with a phone and its code',
    description:
      'With the bearer of an anonymous session, that user becomes the phone’s or is merged into it.',
    auth: 'optional',
    body: z.strictObject({ phoneNumber, code: pattern(/^\d{4}$/, 'Must be 4 digits.') }),
    data: VerifiedSession,
    status: 200,
    message: 'Signed in.',
    errors: ['OTP_INVALID', 'OTP_EXPIRED', 'RATE_LIMITED', 'ACCOUNT_SUSPENDED'],
    example: {
      body: { phoneNumber: '+12025550103', code: '4242' },
      data: { ...session, isNewUser: false, merged: false },
    },
    gateway: 'service',
    handle: verifyCode,
  },
  {
    id: 'exchange_id_token',
    method: 'post',
    path: '/auth/idp/token',
    tag: 'Sessions',
    summary: 'Sign in with an ID token of the identity provider',
    description:
      'The token is of a sign-in by phone, which is the same user as by a code and merges an anonymous session as that does, or of an anonymous one.',
    auth: 'optional',
    body: z.strictObject({ idToken }),
    data: VerifiedSession,
    status: 200,
    message: 'Signed in.',
    errors: ['UNAUTHORIZED', 'ACCOUNT_SUSPENDED'],
    example: {
      body: { idToken: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIuLi4ifQ.c2lnbmF0dXJl' },
      data: { ...session, isNewUser: true, merged: false },
    },
    gateway: 'service',
    handle: exchangeIdToken,
  },
  {
    id: 'start_anonymous_session',
    method: 'post',
    path: '/auth/anonymous/session',
    tag: 'Sessions',
    summary: 'Begin or restore the anonymous session of an install',
    auth: 'none',
    body: z.strictObject({ deviceId: text(16, 200) }),
    data: Session,
    status: 200,
    message: 'Signed in anonymously.',
    errors: ['RATE_LIMITED', 'ACCOUNT_SUSPENDED'],
    example: {
      body: { deviceId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
      data: {
        ...session,
        user: { id: session.user.id, username: null, fullName: null, isAnonymous: true, level: 1 },
      },
    },
    gateway: 'service',
    handle: startAnonymousSession,
  },
  {
    id: 'refresh_session',
    method: 'post',
    path: '/auth/session/refresh',
    tag: 'Sessions',
    summary: 'Exchange a refresh token for a fresh session',
    description:
      'The token is rotated. Using it again within 60 seconds answers the same successor; later it ends the session.',
    auth: 'none',
    body: z.strictObject({ refreshToken }),
    data: Session,
    status: 200,
    message: 'Session refreshed.',
    errors: ['UNAUTHORIZED', 'RATE_LIMITED'],
    example: { body: { refreshToken: session.refreshToken }, data: session },
    gateway: 'service',
    handle: refreshSession,
  },
  {
    id: 'log_out',
    method: 'post',
    path: '/auth/logout',
    tag: 'Sessions',
    summary: 'End this session, or all of the user’s',
    auth: 'required',
    level: 1,
    body: z.strictObject({
      refreshToken,
      logoutFromAllDevices: z.boolean(),
      notificationDeviceToken: deviceToken.optional(),
    }),
    data: nothing,
    status: 200,
    message: 'Signed out.',
    example: { body: { refreshToken: session.refreshToken, logoutFromAllDevices: false }, data: {} },
    handle: logOut,
  },
];
