import { ApiError } from '../contract/errors.ts';

export const CAPTCHA_PROVIDERS = ['turnstile', 'hcaptcha'] as const;

/** Checks that a person solved a captcha. */
export interface Captcha {
  /**
   * Redeems the token that the provider's widget gave to the client.
   * @param address the client's address, null if it is unknown
   * @throws ApiError CAPTCHA_REQUIRED for a missing, wrong or used token; SERVICE_UNAVAILABLE if the provider does not answer
   */
  redeem(token: string | undefined, address: string | null): Promise<void>;
}

/** The account of a provider. */
export interface CaptchaOptions {
  readonly provider: (typeof CAPTCHA_PROVIDERS)[number];
  readonly secret: string;
  /** The address of the provider's siteverify, if it is not the usual one. */
  readonly url?: string | undefined;
}

const URLS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
};

const TIMEOUT_MS = 8_000;
const RETRY_SECONDS = 5;

/** Error codes of both providers that blame our account, our request or the provider. All others, and none, blame the token. */
const BLAMES_US = /secret|remoteip|^(bad-request|internal-error)$/;

/** Creates a captcha of Turnstile or hCaptcha, which have the same siteverify. */
export function createCaptcha({ provider, secret, url = URLS[provider] }: CaptchaOptions): Captcha {
  return {
    redeem: async (token, address) => {
      if (!token) throw new ApiError('CAPTCHA_REQUIRED');
      const body = new URLSearchParams({ secret, response: token, ...(address && { remoteip: address }) });
      const { success, 'error-codes': codes } = await verify(url, body);
      if (success === true) return;
      const faults = Array.isArray(codes) ? codes.filter((code) => BLAMES_US.test(code)) : [];
      throw faults.length === 0
        ? new ApiError('CAPTCHA_REQUIRED')
        : unavailable(`refused with ${faults.join(', ')}`);
    },
  };
}

interface Verdict {
  readonly success?: unknown;
  readonly 'error-codes'?: unknown;
}

async function verify(url: string, body: URLSearchParams): Promise<Verdict> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = await response.json();
    if (typeof answer !== 'object' || answer === null || !('success' in answer))
      throw new Error(`status ${response.status}`);
    return answer;
  } catch (error) {
    throw unavailable(error instanceof Error ? error.name : 'unknown');
  }
}

function unavailable(reason: string): ApiError {
  const details = { retryAfterSeconds: RETRY_SECONDS };
  return new ApiError('SERVICE_UNAVAILABLE', details, { cause: new Error(`captcha: ${reason}`) });
}
