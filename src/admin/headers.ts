import type { Context, MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** The policy of every staff page: no scripts, no foreign resources. */
const POLICY = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': 'data:',
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

const CSP = 'Content-Security-Policy';

function policyWith(changes: Readonly<Record<string, string>>): string {
  const sources = Object.entries({ ...POLICY, ...changes });
  return sources.map(([name, source]) => `${name} ${source}`).join('; ');
}

const setHeaders = secureHeaders({ referrerPolicy: 'no-referrer', xFrameOptions: 'DENY', overwrite: false });

/** Sets the headers of every staff page: its policy, no referrer, no frames. */
export const headers: MiddlewareHandler = async (c, next) => {
  await setHeaders(c, next);
  if (!c.res.headers.has(CSP)) c.header(CSP, policyWith({}));
};

/** Allows pictures of these origins: those of reported content, which storage serves. */
export function allowImages(c: Context, origins: readonly string[]): void {
  c.header(CSP, policyWith({ 'img-src': ['data:', ...new Set(origins)].join(' ') }));
}

/** Allows the script of the sign-in page, and its requests to the service. */
export function allowSignIn(c: Context): void {
  c.header(CSP, policyWith({ 'script-src': "'self'", 'connect-src': "'self'" }));
}

const GOOGLE = 'https://accounts.google.com/gsi';

/** Allows what Google documents for its sign-in button: its script and frame, the page's origin as referrer, a popup. */
export function allowGoogle(c: Context): void {
  const sources = {
    'script-src': `'self' ${GOOGLE}/client`,
    'frame-src': `${GOOGLE}/`,
    'connect-src': `'self' ${GOOGLE}/`,
    'style-src': `'self' ${GOOGLE}/style`,
  };
  c.header(CSP, policyWith(sources));
  c.header('Referrer-Policy', 'strict-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
}
