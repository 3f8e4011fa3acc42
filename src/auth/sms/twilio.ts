import { Buffer } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../../backoff.ts';
import { ApiError, type Issue } from '../../contract/errors.ts';
import type { SmsMessage, SmsSender } from '../sms.ts';

interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  readonly baseUrl?: string;
  /** How long one message may take, all its tries together. */
  readonly timeoutMs?: number;
}

/** A Twilio account, and who its messages come from. */
export type TwilioOptions = TwilioAccount &
  ({ readonly from: string } | { readonly messagingServiceSid: string });

/** What one try came to: `retryAfterMs` is the least time to wait, undefined where another try would not help. */
type Outcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly error: ApiError; readonly retryAfterMs?: number };

const MAX_TRIES = 3;
const FIRST_BACKOFF_MS = 200;
const CLIENT_RETRY_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * Twilio's codes for a phone that it will not reach from this account: not a number, a short code, in a country
 * or network not served, opted out, not a mobile, a landline.
 */
const UNREACHABLE = new Set([21211, 21265, 21408, 21610, 21612, 21614, 21635]);

/**
 * Sends by Twilio's Messages resource. An answer of 429 or 5xx, or none at all, is tried again while the time
 * lasts: at worst the phone gets the same text twice.
 */
export function createTwilioSender(options: TwilioOptions): SmsSender {
  const { timeoutMs = 8_000 } = options;
  const request = requestTo(options);

  return {
    send: async (message) => {
      const deadline = performance.now() + timeoutMs;
      for (let triesLeft = MAX_TRIES; ; triesLeft -= 1) {
        const outcome = await attempt(request(message), (deadline - performance.now()) / triesLeft);
        if (outcome.sent) return;
        if (outcome.retryAfterMs === undefined || triesLeft === 1) throw outcome.error;
        const wait = Math.max(outcome.retryAfterMs, backoffMs(FIRST_BACKOFF_MS, MAX_TRIES - triesLeft + 1));
        if (performance.now() + wait >= deadline) throw outcome.error;
        await pause(wait);
      }
    },
  };
}

function requestTo(options: TwilioOptions): (message: SmsMessage) => Request {
  const { accountSid, authToken, baseUrl = 'https://api.twilio.com' } = options;
  const url = new URL(`/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`, baseUrl);
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  const sender =
    'from' in options ? { From: options.from } : { MessagingServiceSid: options.messagingServiceSid };

  return ({ to, text }) =>
    new Request(url, {
      method: 'POST',
      headers: { authorization, accept: 'application/json' },
      body: new URLSearchParams({ To: to, ...sender, Body: text }),
      redirect: 'manual',
    });
}

async function attempt(request: Request, timeoutMs: number): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(request, { signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))) });
  } catch (error) {
    return { sent: false, error: unavailable(`no answer (${reasonOf(error)})`), retryAfterMs: 0 };
  }
  if (response.status === 429 || response.status >= 500) return busy(response);
  // Once Twilio took the message, nothing its body says or fails to say may send it again: it is not read.
  if (response.ok) return drop(response, { sent: true });
  const code = await codeOf(response);
  const error = UNREACHABLE.has(code)
    ? unreachable(code)
    : unavailable(`status ${response.status}, code ${code}`);
  return { sent: false, error };
}

function busy(response: Response): Outcome {
  const seconds = retryAfterSeconds(response.headers.get('retry-after'));
  const error = unavailable(`status ${response.status}`, seconds);
  return drop(response, { sent: false, error, retryAfterMs: seconds * 1_000 });
}

/** Frees the connection of an answer whose body is of no use. */
function drop(response: Response, outcome: Outcome): Outcome {
  response.body?.cancel().catch(() => undefined);
  return outcome;
}

/** Twilio's own error code in the body of a refusal; 0 where the body is not what Twilio writes. */
async function codeOf(response: Response): Promise<number> {
  const body: unknown = await response.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return typeof code === 'number' ? code : 0;
}

/** `Retry-After` as seconds from now; it holds seconds or a date. 0 where it is missing or neither. */
function retryAfterSeconds(header: string | null): number {
  const seconds = Number(header ?? 0);
  const wait = Number.isNaN(seconds) ? (Date.parse(header ?? '') - Date.now()) / 1_000 : seconds;
  return wait > 0 ? Math.min(Math.ceil(wait), MAX_RETRY_AFTER_SECONDS) : 0;
}

/** The system's name of a failed exchange. Its message is left out: it may quote the request. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}

function unreachable(code: number): ApiError {
  const message = 'This number cannot receive our text messages.';
  const issue: Issue = { path: ['phoneNumber'], code: 'unreachable', message };
  return new ApiError('VALIDATION_FAILED', { issues: [issue] }, { cause: new Error(`Twilio: code ${code}`) });
}

function unavailable(reason: string, seconds = 0): ApiError {
  const details = { retryAfterSeconds: seconds || CLIENT_RETRY_SECONDS };
  return new ApiError('SERVICE_UNAVAILABLE', details, { cause: new Error(`Twilio: ${reason}`) });
}
