import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The account that the played Twilio knows. */
export const TWILIO_ACCOUNT = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'twilio-auth-token-of-tests' };

/** One request as it arrived. */
export interface TwilioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: Readonly<Record<string, string>>;
  /** `performance.now()` of its arrival. */
  readonly at: number;
}

/**
 * What to answer instead of what Twilio would: a response, none for as long as the client waits (`hang`), a closed
 * connection (`reset`), or a 201 that breaks off within its body (`cut`).
 */
export type TwilioAnswer =
  | 'hang'
  | 'reset'
  | 'cut'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A Twilio on a loopback port. */
export interface FakeTwilio {
  readonly url: string;
  readonly requests: readonly TwilioRequest[];
  /** Answers the next requests so, one each; those after them as Twilio would. */
  answerNext(...answers: readonly TwilioAnswer[]): void;
  close(): Promise<void>;
}

/** Twilio's refusal, as its API words it. The message quotes the number, as Twilio's do. */
export function refusal(status: number, code: number, to = ''): TwilioAnswer {
  const message = `The 'To' number ${to} was refused.`;
  return { status, body: JSON.stringify({ code, message, more_info: `/docs/errors/${code}`, status }) };
}

/** Starts a Twilio that checks credentials and fields and takes every message. */
export async function startTwilio(): Promise<FakeTwilio> {
  const requests: TwilioRequest[] = [];
  const script: TwilioAnswer[] = [];

  const server = createServer(async (incoming, outgoing) => {
    const at = performance.now();
    const form = Object.fromEntries(new URLSearchParams(await text(incoming)));
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, form, at };
    requests.push(request);
    respond(outgoing, script.shift() ?? usualAnswer(request));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerNext: (...answers) => void script.push(...answers),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function usualAnswer({ method, path, headers, form }: TwilioRequest): TwilioAnswer {
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

function respond(outgoing: ServerResponse, answer: TwilioAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    outgoing.destroy();
    return;
  }
  if (answer === 'cut') {
    outgoing.writeHead(201, { 'content-type': 'application/json', 'content-length': '1000' });
    outgoing.write('{"sid":', () => outgoing.destroy());
    return;
  }
  outgoing.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  outgoing.end(answer.body ?? '');
}
