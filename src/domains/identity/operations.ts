import { z } from 'zod';
import { normalizePhone } from '../../auth/phones.ts';
import type { SmsSender } from '../../auth/sms.ts';
import { ApiError, type Issue, invalid } from '../../contract/errors.ts';
import { deviceToken, idToken, nothing, pattern, text, timestamp } from '../../contract/values.ts';
import type { Call, Operation } from '../../http/operation.ts';
import type { Services } from '../../services.ts';
import { AT, session } from '../examples.ts';
import { LoginConfig, Session, SessionGrant, VerifiedSession } from './schemas.ts';

const phoneNumber = text(1, 40).meta({ description: 'E.164; spaces, dashes and brackets are dropped.' });
// Wide enough that a token of another kind is refused as what it is, a bad token.
const refreshToken = text(1, 4096);

/** Sign-in and sessions (docs/product.md I1-I16). */
export const sessions: readonly Operation[] = [
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

/** Adds what only the configuration knows. */
export async function describeLogin({ services: { config, idp }, run }: Call): Promise<unknown> {
  return run({
    appLogoUrl: config.APP_LOGO_URL,
    methods: ['phone_otp', ...(idp ? ['idp'] : []), 'anonymous'],
    legal: { termsUrl: config.TERMS_URL, privacyUrl: config.PRIVACY_URL, termsVersion: config.TERMS_VERSION },
  });
}

const DeviceArgs = z.object({ deviceId: z.string() });

/** Signs a session of the install's anonymous user. */
export async function startAnonymousSession(call: Call): Promise<unknown> {
  const { secrets, config } = call.services;
  const refreshToken = secrets.newToken();
  const answer = await call.run({
    deviceHash: secrets.hashDevice(DeviceArgs.parse(call.args).deviceId),
    addressHash: addressHashOf(call),
    devicesPerAddress: config.NEW_DEVICES_PER_ADDRESS_PER_HOUR,
    ...sessionArgs(call, refreshToken),
  });
  return signed(call.services, answer, refreshToken);
}

const IdTokenArgs = z.object({ idToken: z.string() });

/** Checks an ID token and signs a session of whom it names. */
export async function exchangeIdToken(call: Call): Promise<unknown> {
  const { idp, secrets } = call.services;
  if (idp === null) throw new ApiError('SERVICE_UNAVAILABLE');
  const identity = await idp.identify(IdTokenArgs.parse(call.args).idToken);
  if (identity === null) throw new ApiError('UNAUTHORIZED');
  const refreshToken = secrets.newToken();
  const answer = await call.run({
    ...(identity.kind === 'phone'
      ? { phoneNumber: identity.phoneNumber }
      : { subjectHash: secrets.hashSubject(identity.issuer, identity.subject) }),
    ...sessionArgs(call, refreshToken),
  });
  return signedIn(call.services, answer, refreshToken);
}

const RefreshArgs = z.object({ refreshToken: z.string() });

/** Rotates a refresh token into the successor that follows from it, and signs the session anew. */
export async function refreshSession({ args, services, run }: Call): Promise<unknown> {
  const { secrets } = services;
  const { refreshToken } = RefreshArgs.parse(args);
  const successor = secrets.successorOf(refreshToken);
  const answer = await run({
    refreshTokenHash: secrets.fingerprint(refreshToken),
    successorHash: secrets.fingerprint(successor),
  });
  return signed(services, answer, successor);
}

const LogoutArgs = RefreshArgs.extend({
  logoutFromAllDevices: z.boolean(),
  notificationDeviceToken: z.string().optional(),
});

/** Ends sessions; Postgres knows the tokens by their hashes alone. */
export async function logOut({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { refreshToken, logoutFromAllDevices, notificationDeviceToken } = LogoutArgs.parse(args);
  return run({
    refreshTokenHash: secrets.fingerprint(refreshToken),
    logoutFromAllDevices,
    deviceTokenHash:
      notificationDeviceToken === undefined ? null : secrets.fingerprint(notificationDeviceToken),
  });
}

const PhoneArgs = z.object({ phoneNumber: z.string() });

/** Makes a code, lets Postgres keep its hash within the limits, and sends it. */
export async function requestCode(call: Call): Promise<unknown> {
  const { secrets, sms, config } = call.services;
  const phoneNumber = e164(PhoneArgs.parse(call.args).phoneNumber);
  const testCode = config.SMS_TEST_NUMBERS?.codeFor(phoneNumber);
  const code = testCode ?? secrets.newCode();
  const answer = await call.run({
    phoneNumber,
    phoneHash: secrets.hashPhone(phoneNumber),
    codeHash: secrets.hashCode(phoneNumber, code),
    codesPerDay: testCode === undefined ? config.OTP_CODES_PER_PHONE_PER_DAY : null,
    addressHash: addressHashOf(call),
    requestsPerAddress: config.OTP_REQUESTS_PER_ADDRESS_PER_HOUR,
  });
  if (testCode === undefined) await sendCode(sms, phoneNumber, code, ResendAfter.parse(answer));
  return answer;
}

const ResendAfter = z.object({ resendAfterSeconds: z.int() });

/** Sends a code. @throws ApiError; one that cannot be sent now is to be asked for when the phone may have the next */
async function sendCode(
  sms: SmsSender,
  to: string,
  code: string,
  next: z.output<typeof ResendAfter>,
): Promise<void> {
  await sms.send({ to, text: `${code} is your Opine code.` }).catch((cause: unknown) => {
    const isUnavailable = cause instanceof ApiError && cause.code === 'SERVICE_UNAVAILABLE';
    throw isUnavailable
      ? new ApiError(
          'SERVICE_UNAVAILABLE',
          { retryAfterSeconds: next.resendAfterSeconds },
          { cause: cause.cause },
        )
      : cause;
  });
}

const CodeArgs = PhoneArgs.extend({ code: z.string() });

/** Proves a phone by its code and signs its session. */
export async function verifyCode(call: Call): Promise<unknown> {
  const { secrets, config } = call.services;
  const { phoneNumber: given, code } = CodeArgs.parse(call.args);
  const phoneNumber = e164(given);
  const isTestNumber = config.SMS_TEST_NUMBERS?.codeFor(phoneNumber) !== undefined;
  const refreshToken = secrets.newToken();
  const answer = await call.run({
    phoneNumber,
    phoneHash: secrets.hashPhone(phoneNumber),
    codeHash: secrets.hashCode(phoneNumber, code),
    codesPerDay: isTestNumber ? null : config.OTP_CODES_PER_PHONE_PER_DAY,
    wrongTriesPerDay: isTestNumber ? null : config.OTP_WRONG_TRIES_PER_DAY,
    addressHash: addressHashOf(call),
    triesPerAddress: config.OTP_TRIES_PER_ADDRESS_PER_HOUR,
    ...sessionArgs(call, refreshToken),
  });
  return signedIn(call.services, answer, refreshToken);
}

/** The session that a grant stands for. Its times are the database's, whose clock alone counts. */
export async function signed({ tokens }: Services, answer: unknown, refreshToken: string): Promise<object> {
  const { sessionId, issuedAt, expiresAt, expiresIn, user } = SessionGrant.parse(answer);
  const accessToken = await tokens.sign({ userId: user.id, sessionId, issuedAt, expiresAt });
  return {
    accessToken,
    refreshToken,
    tokenType: 'Bearer',
    expiresIn,
    expiresAt: expiresAt.toISOString(),
    user,
  };
}

/** As `signed`, for a session that may have made or merged a user. */
export async function signedIn(services: Services, answer: unknown, refreshToken: string): Promise<object> {
  const { isNewUser, merged } = SignIn.parse(answer);
  return { ...(await signed(services, answer, refreshToken)), isNewUser, merged };
}

const SignIn = z.object({ isNewUser: z.boolean(), merged: z.boolean() });

/** The E.164 form of `phoneNumber`. @throws ApiError VALIDATION_FAILED where it is no possible number */
export function e164(phoneNumber: string): string {
  const normalized = normalizePhone(phoneNumber);
  if (normalized === null) throw invalid(notPossible(['phoneNumber']));
  return normalized;
}

/** Says that what is at `path` of a body is no possible number. */
export function notPossible(path: Issue['path']): Issue {
  return { path, code: 'invalid_phone', message: 'Must be a possible number in E.164 form.' };
}

/** What every sign-in tells Postgres of the session to open: `refreshToken` by its hash, and the kind of device. */
export function sessionArgs({ services, client }: Call, refreshToken: string): object {
  return { refreshTokenHash: services.secrets.fingerprint(refreshToken), deviceKind: client.deviceKind };
}

/** What Postgres counts a client's address by; null where it is not to be counted. */
export function addressHashOf({ client, services }: Call): string | null {
  return client.address === null ? null : services.secrets.hashAddress(client.address);
}
