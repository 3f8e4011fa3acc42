import { type Agent, request } from 'node:https';
import type { Credential } from 'firebase-admin/app';
import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { ServiceAccount } from '../auth/service-account.ts';

/** Access to the push service, which can be told that a token was refused. */
export interface Access extends Credential {
  forget(): void;
}

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const TIMEOUT_MS = 10_000;
const MARGIN_MS = 300_000;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/**
 * Access tokens of a service account, each kept while it lasts. firebase-admin's own credential waits without end, tries
 * again by itself, and takes no connections but its own.
 * @param agent makes the connections
 */
export function createAccess(account: ServiceAccount, agent: Agent): Access {
  let kept: { readonly token: string; readonly until: number } | null = null;
  let asking: Promise<string> | null = null;

  async function ask(): Promise<string> {
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await assertionOf(account),
    });
    const { status, text } = await post(form.toString(), agent);
    if (status !== 200) throw new Error(`access refused: ${status}`);
    const { access_token: token, expires_in: seconds } = granted.parse(JSON.parse(text));
    kept = { token, until: Date.now() + seconds * 1000 - MARGIN_MS };
    return token;
  }

  return {
    getAccessToken: async () => {
      // An expiry of 0 keeps the app from keeping it: it could not be told that a token was refused.
      if (kept !== null && Date.now() < kept.until) return { access_token: kept.token, expires_in: 0 };
      asking ??= ask().finally(() => {
        asking = null;
      });
      return { access_token: await asking, expires_in: 0 };
    },
    forget: () => {
      kept = null;
    },
  };
}

async function assertionOf({ client_email: issuer, private_key: key }: ServiceAccount): Promise<string> {
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(TOKEN_URL)
    .setIssuedAt()
    .setExpirationTime('1h')
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
