import { onTestFinished } from 'vitest';
import type { Environment } from '../../src/config.ts';
import { startServer } from '../../src/server.ts';
import { type Client, clientOf, type Json, type Reply } from './client.ts';
import { type Opine, startOpine, testEnvironment } from './opine.ts';
import { type FakeTwilio, startTwilio, TWILIO_ACCOUNT } from './twilio.ts';

/** Asks for a code for `phoneNumber`. */
export function requestOtp(caller: Client, phoneNumber: string): Promise<Reply> {
  return caller.post('/auth/otp/request', { phoneNumber });
}

/** Enters `code`, the one of the phones of tests unless said. */
export function enterCode(caller: Client, phoneNumber: string, code = '4242'): Promise<Reply> {
  return caller.post('/auth/otp/verify', { phoneNumber, code });
}

/** The owner of a session logs out of it; `fields` override or add. */
export function logOut({ url }: Opine, session: Json, fields: object = {}): Promise<Reply> {
  const { accessToken, refreshToken } = session;
  const body = { refreshToken, logoutFromAllDevices: false, ...fields };
  return clientOf(url, accessToken).post('/auth/logout', body);
}

/** A code that is not `code`. */
export function otherThan(code: string): string {
  return String((Number(code) + 1) % 10_000).padStart(4, '0');
}

/** An Opine whose text messages a played Twilio takes. */
export interface TextingOpine extends Opine {
  readonly twilio: FakeTwilio;
  /** The code in the last message to `phoneNumber`. */
  codeSentTo(phoneNumber: string): string;
}

/** Starts an Opine that sends real codes, with `changes` of its environment. Stopped by its `stop`, with its Twilio. */
export async function startTextingOpine(changes: Environment = {}): Promise<TextingOpine> {
  const twilio = await startTwilio();
  const opine = await startOpine({ ...textingThrough(twilio), ...changes });
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

/** As `startTextingOpine`, stopped when the test that asked for it ends. */
export async function aTextingOpine(changes: Environment): Promise<TextingOpine> {
  const opine = await startTextingOpine(changes);
  onTestFinished(() => opine.stop());
  return opine;
}

/** The address of another server on the database of `opine`, stopped when the test ends. */
export async function besides({ database }: Opine, changes: Environment): Promise<string> {
  const server = await startServer({ ...testEnvironment(database), ...changes });
  onTestFinished(() => server.stop());
  return server.url;
}

/** The environment of a server that texts through `twilio`. */
export function textingThrough(twilio: FakeTwilio) {
  return {
    SMS_PROVIDER: 'twilio',
    SMS_TWILIO_URL: twilio.url,
    SMS_TWILIO_ACCOUNT_SID: TWILIO_ACCOUNT.accountSid,
    SMS_TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT.authToken,
    SMS_TWILIO_FROM: '+15005550006',
  };
}

/** The code in the last message to `phoneNumber`. */
export function codeIn(twilio: FakeTwilio, phoneNumber: string): string {
  const message = twilio.requests.findLast(({ form }) => form.To === phoneNumber);
  const [code] = /\b\d{4}\b/.exec(message?.form.Body ?? '') ?? [];
  if (code === undefined) throw new Error('No code was sent to that phone.');
  return code;
}
