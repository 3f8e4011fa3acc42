import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { type Client, clientOf, type Json, type Reply } from './client.ts';
import { type Opine, startOpine, testEnvironment } from './opine.ts';
import { type FakeTwilio, startTwilio, TWILIO_ACCOUNT } from './twilio.ts';

export function requestOtp(caller: Client, phoneNumber: string): Promise<Reply> {
  return caller.post('/auth/otp/request', { phoneNumber });
}

export function enterCode(caller: Client, phoneNumber: string, code = '4242'): Promise<Reply> {
  return caller.post('/auth/otp/verify', { phoneNumber, code });
}

/** Logs out of `session`; `fields` override or add. */
export function logOut({ url }: Opine, session: Json, fields: object = {}): Promise<Reply> {
  const { accessToken, refreshToken } = session;
  const body = { refreshToken, logoutFromAllDevices: false, ...fields };
  return clientOf(url, accessToken).post('/auth/logout', body);
}

export function otherCode(code: string): string {
  return String((Number(code) + 1) % 10_000).padStart(4, '0');
}

/** An Opine with a fake Twilio. */
export interface OpineWithSms extends Opine {
  readonly twilio: FakeTwilio;
  /** Returns the code in the last message. */
  codeSentTo(phoneNumber: string): string;
}

/** Starts an Opine that sends codes through a fake Twilio; `stop` stops both. */
export async function startOpineWithSms(changes: Environment = {}): Promise<OpineWithSms> {
  const twilio = await startTwilio();
  const opine = await startOpine({ ...smsEnvironment(twilio), ...changes });
  return {
    ...opine,
    twilio,
    codeSentTo: (phoneNumber) => codeIn(twilio, phoneNumber),
    stop: async () => {
      await opine.stop();
      await twilio.close();
    },
  };
}

/** Starts one that stops with the test. */
export async function anOpineWithSms(changes: Environment): Promise<OpineWithSms> {
  const opine = await startOpineWithSms(changes);
  onTestFinished(() => opine.stop());
  return opine;
}

/** Starts another server on the same database, which stops with the test. Returns its URL. */
export async function anotherServer({ database }: Opine, changes: Environment): Promise<string> {
  const server = await startServer({ ...testEnvironment(database), ...changes });
  onTestFinished(() => server.stop());
  return server.url;
}

export function smsEnvironment(twilio: FakeTwilio) {
  return {
    SMS_PROVIDER: 'twilio',
    SMS_TWILIO_URL: twilio.url,
    SMS_TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
    SMS_TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    SMS_TWILIO_FROM: '+15005550006',
  };
}

export function codeIn(twilio: FakeTwilio, phoneNumber: string): string {
  const message = twilio.requests.findLast(({ form }) => form.To === phoneNumber);
  const [code] = /\b\d{4}\b/.exec(message?.form.Body ?? '') ?? [];
  if (code === undefined) throw new Error('No code was sent to that phone.');
  return code;
}
