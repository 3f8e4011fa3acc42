import { z } from 'zod';
import { ApiError } from '../contract/errors.ts';
import type { Call } from '../http/handler.ts';
import type { SmsSender } from '../identity/sms.ts';
import { addressHashOf, sessionArgs } from './client-args.ts';
import { e164 } from './phone-args.ts';
import { signedIn } from './signed-session.ts';

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
