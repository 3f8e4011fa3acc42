import { type Agent, request } from 'node:https';
import type { Credential } from 'firebase-admin/app';
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { ServiceAccount } from '../auth/service-account.ts';

/** Credentials for the push service. */
export interface Access extends Credential {
  /** Drops the cached token after the push service has refused it. */
  invalidate(): void;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TIMEOUT_MS = 10_000;
const MARGIN_MS = 300_000;
const LIFETIME_SECONDS = 3_600;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/**
 * Creates credentials of a service account, which cache the access token. They replace firebase-admin's own, which have no
 * timeout, retry by themselves and use only connections of their own.
 */
export function createAccess(account: ServiceAccount, agent: Agent): Access {
  let cached: { readonly token: string; readonly until: number } | null = null;
  let pending: Promise<string> | null = null;

  async function requestToken(): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await signAssertion(account),
    });
    const { status, text } = await post(form.toString(), agent);
    if (status !== 200) throw new Error(`The access token was refused: ${status}`);
    const { access_token: token, expires_in: seconds } = granted.parse(JSON.parse(text));
    cached = { token, until: Date.now() + seconds * 1000 - MARGIN_MS };
    return token;
  }

  return {
    getAccessToken: async () => {
      // An expiry of 0 disables firebase-admin's cache, which cannot be invalidated.
      if (cached !== null && Date.now() < cached.until) return { access_token: cached.token, expires_in: 0 };
      pending ??= requestToken().finally(() => {
        pending = null;
      });
      return { access_token: await pending, expires_in: 0 };
    },
    invalidate: () => {
      cached = null;
    },
  };
}

async function signAssertion({ client_email: issuer, private_key: key }: ServiceAccount): Promise<string> {
  // Google refuses more than an hour, so both times come from one look at the clock.
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(TOKEN_URL)
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(await importPKCS8(key, 'RS256'));
}

function post(body: string, agent: Agent): Promise<{ status: number; text: string }> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = request(TOKEN_URL, { method: 'POST', agent, headers, signal }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
