import { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { deviceId, deviceToken, idToken, nothing, text } from '../../contract/values.ts';
import { type Call, hashAddress, type Operation } from '../../http/operation.ts';
import type { Services } from '../../services.ts';
import { AT, session } from '../examples.ts';
import { captchaToken, code, phoneNumber, proofArgs, redeemCaptcha, requestCode } from './codes.ts';
import { LoginConfig, SentOtp, Session, SessionGrant, VerifiedSession } from './schemas.ts';

const knownDevice = deviceId.optional().meta({
  description:
    'The id of the app install. A device from which the phone has signed in is not locked out by guesses from elsewhere.',
});
// Longer than our tokens, so that a token of another kind gets 401 and not 422.
const refreshToken = text(1, 4096);

/** Sign-in and sessions (docs/product.md I1-I16). */
export const sessions: readonly Operation[] = [
  {
    id: 'get_login_config',
    method: 'get',
    path: '/auth/login-config',
    tag: 'Sessions',
    summary: 'Get the configuration of the login screen',
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
        captcha: { provider: 'turnstile', siteKey: '1x00000000000000000000AA' },
      },
    },
    handle: describeLogin,
  },
  {
    id: 'request_otp',
    revokesAccess: false,
    method: 'post',
    path: '/auth/otp/request',
    tag: 'Sessions',
    summary: 'Send a one-time code to a phone',
    description:
      'The answer is the same for every phone, known or unknown. A phone gets one code a minute and five a day.',
    auth: 'none',
    body: z
      .strictObject({ phoneNumber, deviceId: knownDevice, captchaToken })
      .describe('The phone that gets the code.'),
    data: SentOtp,
    status: 200,
    message: 'A code is on its way.',
    errors: ['CAPTCHA_REQUIRED', 'RATE_LIMITED'],
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
      'The bearer of an anonymous session turns its user into the phone’s user, or merges it into the existing one. An invalid or ended bearer is 401 and uses up no code: refresh the session and repeat the request.',
    auth: 'checked',
    body: z
      .strictObject({ phoneNumber, code, deviceId: knownDevice })
      .describe('A phone and the code that was sent to it.'),
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
      'Accepts tokens of phone sign-in and of anonymous sign-in. Phone sign-in leads to the same user as a one-time code, and merges an anonymous session in the same way. An invalid or ended bearer is 401.',
    auth: 'checked',
    body: z
      .strictObject({
        idToken: idToken.describe('Of the configured issuer and audience, by phone or anonymous sign-in.'),
      })
      .describe('An ID token of the identity provider.'),
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
    revokesAccess: false,
    method: 'post',
    path: '/auth/anonymous/session',
    tag: 'Sessions',
    summary: 'Start or restore the anonymous session of an app install',
    auth: 'none',
    body: z
      .strictObject({
        deviceId: deviceId.describe('The id of the app install; ids that many installs have are refused.'),
        captchaToken,
      })
      .describe('The app install whose anonymous user signs in.'),
    data: Session,
    status: 200,
    message: 'Signed in anonymously.',
    errors: ['CAPTCHA_REQUIRED', 'RATE_LIMITED', 'ACCOUNT_SUSPENDED'],
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
    summary: 'Refresh a session',
    description:
      'Rotates the refresh token. A reuse within 60 seconds answers the same successor; a later reuse ends the session.',
    auth: 'none',
    body: z
      .strictObject({ refreshToken: refreshToken.describe('The last refresh token of the session.') })
      .describe('The refresh token to exchange.'),
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
    summary: 'End the current session, or all sessions of the user',
    auth: 'required',
    level: 1,
    body: z
      .strictObject({
        refreshToken: refreshToken.describe("A refresh token of the caller's; its session ends too."),
        logoutFromAllDevices: z.boolean().describe('True ends every session and removes every push token.'),
        notificationDeviceToken: deviceToken.optional().describe('The push token to remove.'),
      })
      .describe('The sessions and the push token to end.'),
    data: nothing,
    status: 200,
    message: 'Signed out.',
    example: { body: { refreshToken: session.refreshToken, logoutFromAllDevices: false }, data: {} },
    handle: logOut,
  },
];

/** Answers the login configuration: limits from Postgres, the rest from the environment. */
async function describeLogin({ services: { config, idp }, run }: Call): Promise<unknown> {
  return run({
    appLogoUrl: config.APP_LOGO_URL,
    methods: ['phone_otp', ...(idp ? ['idp'] : []), 'anonymous'],
    legal: { termsUrl: config.TERMS_URL, privacyUrl: config.PRIVACY_URL, termsVersion: config.TERMS_VERSION },
    captcha: config.CAPTCHA_PROVIDER
      ? { provider: config.CAPTCHA_PROVIDER, siteKey: config.CAPTCHA_SITE_KEY }
      : null,
  });
}

const DeviceArgs = z.object({ deviceId: z.string() });

/** Opens a session for the anonymous user of an app install. */
async function startAnonymousSession(call: Call): Promise<unknown> {
  const { secrets, config } = call.services;
  await redeemCaptcha(call);
  const refreshToken = secrets.newToken();
  const answer = await openSession(call, {
    deviceHash: secrets.hashDevice(DeviceArgs.parse(call.args).deviceId),
    addressHash: hashAddress(call),
    devicesPerAddress: config.NEW_DEVICES_PER_ADDRESS_PER_HOUR,
    ...sessionArgs(call, refreshToken),
  });
  return signSession(call.services, answer, refreshToken);
}

const IdTokenArgs = z.object({ idToken: z.string() });

/**
 * Verifies an ID token and opens a session for its user.
 * @throws ApiError UNAUTHORIZED for a bad token; SERVICE_UNAVAILABLE without an identity provider
 */
async function exchangeIdToken(call: Call): Promise<unknown> {
  const { idp, secrets } = call.services;
  if (idp === null) throw new ApiError('SERVICE_UNAVAILABLE');
  const identity = await idp.identify(IdTokenArgs.parse(call.args).idToken);
  if (identity === null) throw new ApiError('UNAUTHORIZED');
  const refreshToken = secrets.newToken();
  const answer = await openSession(call, {
    ...(identity.kind === 'phone'
      ? { phoneNumber: identity.phoneNumber }
      : { subjectHash: secrets.hashSubject(identity.issuer, identity.subject) }),
    ...sessionArgs(call, refreshToken),
  });
  return signInAnswer(call.services, answer, refreshToken);
}

const RefreshArgs = z.object({ refreshToken: z.string() });

/** Rotates the refresh token and signs a new access token. A token has one successor, so that a reuse gets the same. */
async function refreshSession({ args, services, run }: Call): Promise<unknown> {
  const { secrets } = services;
  const { refreshToken } = RefreshArgs.parse(args);
  const successor = secrets.deriveSuccessor(refreshToken);
  const answer = await run({
    refreshTokenHash: secrets.fingerprint(refreshToken),
    successorHash: secrets.fingerprint(successor),
  });
  return signSession(services, answer, successor);
}

const LogoutArgs = RefreshArgs.extend({
  logoutFromAllDevices: z.boolean(),
  notificationDeviceToken: z.string().optional(),
});

/** Ends sessions. Postgres stores only hashes of their tokens. */
export async function logOut({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { refreshToken, logoutFromAllDevices, notificationDeviceToken } = LogoutArgs.parse(args);
  return run({
    refreshTokenHash: secrets.fingerprint(refreshToken),
    logoutFromAllDevices,
    deviceTokenHash:
      notificationDeviceToken === undefined ? null : secrets.fingerprint(notificationDeviceToken),
  });
}

/** Verifies a code and opens a session for its phone. */
async function verifyCode(call: Call): Promise<unknown> {
  const refreshToken = call.services.secrets.newToken();
  const answer = await openSession(call, { ...proofArgs(call), ...sessionArgs(call, refreshToken) });
  return signInAnswer(call.services, answer, refreshToken);
}

const Suspension = z.object({
  decisionId: z.string(),
  statement: z.string(),
  appealState: z.string().optional(),
  userId: z.string(),
});

/**
 * Opens a session.
 * @throws ApiError ACCOUNT_SUSPENDED with the decision, the state of an appeal, and a token with which its person appeals
 */
async function openSession({ run, services: { secrets } }: Call, args: object): Promise<unknown> {
  return run(args).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'ACCOUNT_SUSPENDED') throw error;
    const { data: suspension } = Suspension.safeParse(error.details);
    if (suspension === undefined) throw error;
    const { userId, ...details } = suspension;
    const appealToken = secrets.sealAppealToken({ userId, decisionId: details.decisionId });
    throw new ApiError('ACCOUNT_SUSPENDED', { ...details, appealToken });
  });
}

/** Signs the access token of a granted session. Its times come from the database, whose clock decides. */
async function signSession({ tokens }: Services, answer: unknown, refreshToken: string): Promise<object> {
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

/** Signs a session that may have created or merged a user. */
async function signInAnswer(services: Services, answer: unknown, refreshToken: string): Promise<object> {
  const { isNewUser, merged } = SignIn.parse(answer);
  return { ...(await signSession(services, answer, refreshToken)), isNewUser, merged };
}

const SignIn = z.object({ isNewUser: z.boolean(), merged: z.boolean() });

/** Returns the arguments of every sign-in: the hash of the new refresh token and the kind of device. */
function sessionArgs({ services, client }: Call, refreshToken: string): object {
  return { refreshTokenHash: services.secrets.fingerprint(refreshToken), deviceKind: client.deviceKind };
}
