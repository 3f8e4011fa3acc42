import { z } from 'zod';
import {
  findCountry,
  MAX_PHONE_LENGTH,
  normalizeDigits,
  normalizePhone,
  numberBlock,
} from '../../auth/phones.ts';
import { ApiError, type Issue, invalid } from '../../contract/errors.ts';
import { text } from '../../contract/values.ts';
import { type Call, hashAddress } from '../../http/operation.ts';

export const phoneNumber = text(1, MAX_PHONE_LENGTH).meta({
  description: 'E.164; spaces, dashes, brackets and `tel:` are ignored, and digits of any script count.',
});
export const code = text(1, 40)
  .overwrite(normalizeDigits)
  .refine((digits) => /^\d{4}$/.test(digits), { message: 'Must be 4 digits.' })
  .meta({ description: '4 digits of any script; spaces and dashes are ignored.' });
export const captchaToken = z.string().max(8192).optional().meta({
  description: 'The token of the captcha that the login configuration names; ignored without one.',
});

const PhoneArgs = z.object({ phoneNumber: z.string(), deviceId: z.string().optional() });
const CodeArgs = PhoneArgs.extend({ code: z.string() });
const ResendAfter = z.object({ resendAfterSeconds: z.int() });

/**
 * Returns the phone of a request, in E.164 form.
 * @throws ApiError VALIDATION_FAILED for an impossible number, and for one of a country without text messages
 */
export function requireTextablePhone({ args, services }: Call): string {
  const { SMS_COUNTRIES } = services.config;
  const phone = e164(PhoneArgs.parse(args).phoneNumber);
  if (SMS_COUNTRIES === undefined || SMS_COUNTRIES.includes(findCountry(phone) ?? '')) return phone;
  const message = 'Numbers of this country are not supported.';
  throw invalid({ path: ['phoneNumber'], code: 'country_not_supported', message });
}

/**
 * Creates a code, stores its hash within the rate limits, and sends it.
 * @returns the answer of `app.put_code`
 * @throws ApiError SERVICE_UNAVAILABLE, with the wait for the next code, while the provider is unavailable
 */
export async function sendCode(call: Call, phone: string): Promise<unknown> {
  const { secrets, sms, config } = call.services;
  const testCode = config.SMS_TEST_NUMBERS?.codeFor(phone);
  const newCode = testCode ?? secrets.newCode();
  const answer = await call.run(codeArgs(call, phone, newCode));
  if (testCode !== undefined) return answer;
  await sms.send({ to: phone, text: `${newCode} is your Opine code.` }).catch((cause: unknown) => {
    const isUnavailable = cause instanceof ApiError && cause.code === 'SERVICE_UNAVAILABLE';
    if (!isUnavailable) throw cause;
    const details = { retryAfterSeconds: ResendAfter.parse(answer).resendAfterSeconds };
    throw new ApiError('SERVICE_UNAVAILABLE', details, { cause: cause.cause });
  });
  return answer;
}

const CaptchaArgs = z.object({ captchaToken: z.string().optional() });

/** Redeems the captcha of a request, if the configuration asks for one. @throws ApiError as `Captcha.redeem` */
export async function redeemCaptcha({ args, services: { captcha }, client }: Call): Promise<void> {
  await captcha?.redeem(CaptchaArgs.parse(args).captchaToken, client.address);
}

/** Sends a code to a phone, for a client that has solved the captcha. */
export async function requestCode(call: Call): Promise<unknown> {
  const phone = requireTextablePhone(call);
  await redeemCaptcha(call);
  return sendCode(call, phone);
}

const PhoneChange = z.object({ phoneNumber: z.string(), formerPhoneNumber: z.string() });
const CHANGED =
  'The phone number of your Opine account was changed. If this was not you, contact us at once.';

/** Verifies a code, makes its phone that of the caller, and sends a text message to the former phone. */
export async function verifyPhoneChange(call: Call): Promise<unknown> {
  const { formerPhoneNumber, ...answer } = PhoneChange.parse(await call.run(proofArgs(call)));
  await notifyFormerPhone(call, formerPhoneNumber);
  return answer;
}

/** Sends a text message to a phone that was changed for another. The change is made, so a failure is only logged. */
async function notifyFormerPhone({ services: { sms, config, log } }: Call, phone: string): Promise<void> {
  if (config.SMS_TEST_NUMBERS?.codeFor(phone) !== undefined) return;
  await sms.send({ to: phone, text: CHANGED }).catch((err: unknown) => {
    log.warn({ err }, 'the text message about a change of number was not sent');
  });
}

/** Returns the arguments of `app.prove_phone`. */
export function proofArgs(call: Call): object {
  const args = CodeArgs.parse(call.args);
  return codeArgs(call, e164(args.phoneNumber), args.code);
}

/** Returns the arguments of `app.put_code` and `app.prove_phone`: a phone, its code, the place, and the limits. */
function codeArgs(call: Call, phone: string, givenCode: string): object {
  const { secrets, config } = call.services;
  const { deviceId } = PhoneArgs.parse(call.args);
  const isTestNumber = config.SMS_TEST_NUMBERS?.codeFor(phone) !== undefined;
  return {
    phoneNumber: phone,
    phoneHash: secrets.hashPhone(phone),
    codeHash: secrets.hashCode(phone, givenCode),
    codesPerDay: isTestNumber ? null : config.OTP_CODES_PER_PHONE_PER_DAY,
    prefixHash: isTestNumber ? null : secrets.hashPhone(numberBlock(phone)),
    codesPerPrefix: config.SMS_PER_PREFIX_PER_HOUR,
    resendAfterSeconds: isTestNumber && !config.SMS_TEST_NUMBERS_WAIT ? 0 : null,
    wrongTriesPerDay: isTestNumber ? null : config.OTP_WRONG_TRIES_PER_DAY,
    deviceHash: deviceId === undefined ? null : secrets.hashDevice(deviceId),
    addressHash: hashAddress(call),
    requestsPerAddress: config.OTP_REQUESTS_PER_ADDRESS_PER_HOUR,
    triesPerAddress: config.OTP_TRIES_PER_ADDRESS_PER_HOUR,
  };
}

/** Returns the E.164 form of a phone number. @throws ApiError VALIDATION_FAILED for an impossible number */
function e164(given: string): string {
  const normalized = normalizePhone(given);
  if (normalized === null) throw invalid(invalidPhone(['phoneNumber']));
  return normalized;
}

/** Returns the issue for an impossible phone number at this path of the body. */
function invalidPhone(path: Issue['path']): Issue {
  return {
    path,
    code: 'invalid_phone',
    message: 'This is no phone number. It begins with + and the country.',
  };
}
