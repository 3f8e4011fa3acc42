import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, type FakeAnswer, listen, respond } from './loopback.ts';

export const TWILIO_ACCOUNT = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'twilio-auth-token-of-tests' };

interface TwilioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: Readonly<Record<string, string>>;
  /** `performance.now()` of its arrival. */
  readonly at: number;
}

export interface FakeTwilio {
  readonly url: string;
  readonly requests: readonly TwilioRequest[];
  /** Queues answers to the next requests; later requests get Twilio's answer. */
  answerNext(...answers: readonly FakeAnswer[]): void;
  close(): Promise<void>;
}

/** Returns Twilio's error, which quotes the number. */
export function refusal(status: number, code: number, to = ''): FakeAnswer {
  const message = `The 'To' number ${to} was refused.`;
  return { status, body: JSON.stringify({ code, message, more_info: `/docs/errors/${code}`, status }) };
}

/** Starts a fake Twilio that checks credentials and fields and accepts every message. */
export async function startTwilio(): Promise<FakeTwilio> {
  const requests: TwilioRequest[] = [];
  const script: FakeAnswer[] = [];

  const server = createServer(async (incoming, outgoing) => {
    const at = performance.now();
    const form = Object.fromEntries(new URLSearchParams(await text(incoming)));
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, form, at };
    requests.push(request);
    respond(outgoing, script.shift() ?? usualAnswer(request), { success: 201 });
  });
  const port = await listen(server);

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answerNext: (...answers) => void script.push(...answers),
    close: () => close(server),
  };
}

function usualAnswer({ method, path, headers, form }: TwilioRequest): FakeAnswer {
  const { accountSid, authToken } = TWILIO_ACCOUNT;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  if (headers.authorization !== `Basic ${credentials}`) return refusal(401, 20003);
  if (method !== 'POST' || path !== `/2010-04-01/Accounts/${accountSid}/Messages.json`)
    return refusal(404, 20404);
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded')) return refusal(400, 21604);
  if (!form.To) return refusal(400, 21604);
  if (!form.Body) return refusal(400, 21602);
  if (!form.From && !form.MessagingServiceSid) return refusal(400, 21603);
  const body = { sid: `SM${'1'.repeat(32)}`, account_sid: accountSid, to: form.To, status: 'queued' };
  return { status: 201, body: JSON.stringify({ ...body, error_code: null, error_message: null }) };
}
