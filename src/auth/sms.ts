import { Buffer } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Issue } from '../contract/errors.ts';
import { backoffMs } from '../retry.ts';

/** A text message to one phone. */
export interface SmsMessage {
  /** E.164. */
  readonly to: string;
  readonly text: string;
}

/** Sends text messages. */
export interface SmsSender {
  /**
   * Sends a message; resolves when the provider has accepted it.
   * @throws ApiError VALIDATION_FAILED if the phone is unreachable, SERVICE_UNAVAILABLE if the provider is; neither contains
   *   the phone or the text
   */
  send(message: SmsMessage): Promise<void>;
}

/** Creates a sender that prints each message as one line, for local development. It reaches no phone. */
export function createConsoleSender(write: (line: string) => void): SmsSender {
  return {
    send: async ({ to, text }) => write(`Text message to ${to}: ${text.replaceAll(/\s+/g, ' ')}\n`),
  };
}

interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  readonly baseUrl?: string;
  /** The timeout of one message, including its retries. */
  readonly timeoutMs?: number;
}

/** A Twilio account and the sender of its messages. */
export type TwilioOptions = TwilioAccount &
  ({ readonly from: string } | { readonly messagingServiceSid: string });

/** The outcome of one attempt. `retryAfterMs` is the minimum wait, undefined if a retry is useless. */
type Outcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly error: ApiError; readonly retryAfterMs?: number };

const MAX_ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 200;
const CLIENT_RETRY_SECONDS = 5;
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * Twilio's error codes for a phone that this account cannot reach: an invalid number, a short code, a country or network
 * without service, an opt-out, not a mobile, a landline.
 */
const UNREACHABLE = new Set([21211, 21265, 21408, 21610, 21612, 21614, 21635]);

/**
 * Creates a sender that uses Twilio's Messages resource. It retries 429, 5xx and lost responses until the timeout; a phone
 * may get the same text twice.
 */
export function createTwilioSender(options: TwilioOptions): SmsSender {
  const { timeoutMs = 8_000 } = options;
  const request = requestTo(options);

  return {
    send: async (message) => {
      const deadline = performance.now() + timeoutMs;
      for (let attemptsLeft = MAX_ATTEMPTS; ; attemptsLeft -= 1) {
        const outcome = await sendOnce(request(message), (deadline - performance.now()) / attemptsLeft);
        if (outcome.sent) return;
        if (outcome.retryAfterMs === undefined || attemptsLeft === 1) throw outcome.error;
        const wait = Math.max(
          outcome.retryAfterMs,
          backoffMs(FIRST_BACKOFF_MS, MAX_ATTEMPTS - attemptsLeft + 1),
        );
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

async function sendOnce(request: Request, timeoutMs: number): Promise<Outcome> {
  let response: Response;
  try {
    response = await fetch(request, { signal: AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs))) });
  } catch (error) {
    return { sent: false, error: unavailable(`no answer (${describeError(error)})`), retryAfterMs: 0 };
  }
  if (response.status === 429 || response.status >= 500) return busy(response);
  // Twilio has accepted the message. A body that cannot be read must not cause a retry, so it is not read.
  if (response.ok) return discardBody(response, { sent: true });
  const code = await readErrorCode(response);
  const error = UNREACHABLE.has(code)
    ? unreachable(code)
    : unavailable(`status ${response.status}, code ${code}`);
  return { sent: false, error };
}

function busy(response: Response): Outcome {
  const seconds = retryAfterSeconds(response.headers.get('retry-after'));
  const error = unavailable(`status ${response.status}`, seconds);
  return discardBody(response, { sent: false, error, retryAfterMs: seconds * 1_000 });
}

/** Discards the body, which frees the connection. */
function discardBody(response: Response, outcome: Outcome): Outcome {
  response.body?.cancel().catch(() => undefined);
  return outcome;
}

/** Returns Twilio's error code from the body, or 0 if the body has none. */
async function readErrorCode(response: Response): Promise<number> {
  const body: unknown = await response.json().catch(() => null);
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return typeof code === 'number' ? code : 0;
}

/** Returns the seconds of a `Retry-After` header, which holds seconds or a date; 0 if it is missing or invalid. */
function retryAfterSeconds(header: string | null): number {
  const seconds = Number(header ?? 0);
  const wait = Number.isNaN(seconds) ? (Date.parse(header ?? '') - Date.now()) / 1_000 : seconds;
  return wait > 0 ? Math.min(Math.ceil(wait), MAX_RETRY_AFTER_SECONDS) : 0;
}

/** Returns the system's code of a network error, without its message, which may quote the request. */
function describeError(error: unknown): string {
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
