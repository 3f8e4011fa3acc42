import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, type FakeAnswer, listen, respond } from './loopback.ts';

export const CAPTCHA_SECRET = 'captcha-secret-of-tests';

/** Stands in for the siteverify of Turnstile and of hCaptcha, by their documentation. */
export interface FakeCaptcha {
  readonly url: string;
  /** The forms of the requests, oldest first. */
  readonly forms: readonly Readonly<Record<string, string>>[];
  /** Queues answers to the next requests; later requests get the provider's answer. */
  answerNext(...answers: readonly FakeAnswer[]): void;
  close(): Promise<void>;
}

export function captchaRefusal(...codes: readonly string[]): FakeAnswer {
  return { status: 200, body: JSON.stringify({ success: false, 'error-codes': codes }) };
}

/** Starts a siteverify that accepts each token `solved…` once. */
export async function startCaptcha(): Promise<FakeCaptcha> {
  const forms: Record<string, string>[] = [];
  const redeemed = new Set<string>();
  const script: FakeAnswer[] = [];

  function judge({ secret, response }: Record<string, string>): FakeAnswer {
    if (secret !== CAPTCHA_SECRET) return captchaRefusal('invalid-input-secret');
    if (!response?.startsWith('solved')) return captchaRefusal('invalid-input-response');
    if (redeemed.has(response)) return captchaRefusal('timeout-or-duplicate');
    redeemed.add(response);
    return {
      status: 200,
      body: JSON.stringify({ success: true, 'error-codes': [], hostname: 'opine.example' }),
    };
  }

  const server = createServer(async (incoming, outgoing) => {
    const form = Object.fromEntries(new URLSearchParams(await text(incoming)));
    forms.push(form);
    respond(outgoing, script.shift() ?? judge(form), { success: 200 });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/siteverify`,
    forms,
    answerNext: (...answers) => void script.push(...answers),
    close: () => close(server),
  };
}
