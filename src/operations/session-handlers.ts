import { z } from 'zod';
import { ApiError, invalid } from '../contract/errors.ts';
import { SessionGrant } from '../contract/models/sessions.ts';
import type { Call } from '../http/handler.ts';
import { normalizePhone } from '../identity/phones.ts';
import type { SmsSender } from '../identity/sms.ts';
import type { Services } from '../services.ts';

/** Adds what only the configuration knows. */
export async function describeLogin({ services: { config }, run }: Call): Promise<unknown> {
  return run({
    appLogoUrl: config.APP_LOGO_URL,
    legal: { termsUrl: config.TERMS_URL, privacyUrl: config.PRIVACY_URL, termsVersion: config.TERMS_VERSION },
  });
}

const PhoneArgs = z.object({ phoneNumber: z.string() });

/** Makes a code, lets Postgres keep its hash within the limits, and sends it. */
export async function requestCode({ args, services, run }: Call): Promise<unknown> {
  const { secrets, sms, config } = services;
  const phoneNumber = e164(PhoneArgs.parse(args).phoneNumber);
  const testCode = config.SMS_TEST_NUMBERS?.codeFor(phoneNumber);
  const code = testCode ?? secrets.newCode();
  const answer = await run({
    phoneNumber,
    phoneHash: secrets.hashPhone(phoneNumber),
    codeHash: secrets.hashCode(phoneNumber, code),
    isTestNumber: testCode !== undefined,
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
export async function verifyCode({ args, services, run }: Call): Promise<unknown> {
  const { secrets } = services;
  const { phoneNumber: given, code } = CodeArgs.parse(args);
  const phoneNumber = e164(given);
  const refreshToken = secrets.newRefreshToken();
  const answer = await run({
    phoneNumber,
    phoneHash: secrets.hashPhone(phoneNumber),
    codeHash: secrets.hashCode(phoneNumber, code),
    refreshTokenHash: secrets.fingerprint(refreshToken),
  });
  const { isNewUser, merged } = SignIn.parse(answer);
  return { ...(await signed(services, answer, refreshToken)), isNewUser, merged };
}

const SignIn = z.object({ isNewUser: z.boolean(), merged: z.boolean() });
const DeviceArgs = z.object({ deviceId: z.string() });

/** Signs a session of the install's anonymous user. */
export async function startAnonymousSession({ args, services, run }: Call): Promise<unknown> {
  const { secrets } = services;
  const refreshToken = secrets.newRefreshToken();
  const answer = await run({
    deviceHash: secrets.hashDevice(DeviceArgs.parse(args).deviceId),
    refreshTokenHash: secrets.fingerprint(refreshToken),
  });
  return signed(services, answer, refreshToken);
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

const LogoutArgs = RefreshArgs.extend({ logoutFromAllDevices: z.boolean() });

/** Ends sessions; Postgres knows the refresh token by its hash alone. */
export async function logOut({ args, services: { secrets }, run }: Call): Promise<unknown> {
  const { refreshToken, logoutFromAllDevices } = LogoutArgs.parse(args);
  return run({ refreshTokenHash: secrets.fingerprint(refreshToken), logoutFromAllDevices });
}

function e164(given: string): string {
  const phoneNumber = normalizePhone(given);
  if (phoneNumber === null) {
    throw invalid({
      path: ['phoneNumber'],
      code: 'invalid_phone',
      message: 'Must be a possible number in E.164 form.',
    });
  }
  return phoneNumber;
}

/** The session that a grant stands for. Its times are the database's, whose clock alone counts. */
async function signed({ tokens }: Services, answer: unknown, refreshToken: string): Promise<object> {
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
