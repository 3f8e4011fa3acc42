import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const NONE = ["'none'"];
const SELF = ["'self'"];

/** Sets the headers of every staff page: no scripts, no foreign resources, no referrer. */
export const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: NONE,
    styleSrc: SELF,
    imgSrc: ['data:'],
    formAction: SELF,
    baseUri: NONE,
    frameAncestors: NONE,
  },
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
  overwrite: false,
});

/** Allows pictures of these origins: those of reported content, which storage serves. */
export function allowImages(c: Context, origins: readonly string[]): void {
  const images = ['data:', ...new Set(origins)].join(' ');
  c.header(
    'Content-Security-Policy',
    `default-src 'none'; style-src 'self'; img-src ${images}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  );
}

const GOOGLE = 'https://accounts.google.com/gsi';

/** Allows what Google documents for its sign-in button: its script and frame, the page's origin as referrer, a popup. */
export function allowGoogle(c: Context): void {
  const sources = {
    'default-src': "'none'",
    'script-src': `'self' ${GOOGLE}/client`,
    'frame-src': `${GOOGLE}/`,
    'connect-src': `'self' ${GOOGLE}/`,
    'style-src': `'self' ${GOOGLE}/style`,
    'img-src': 'data:',
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  };
  const policy = Object.entries(sources).map(([name, source]) => `${name} ${source}`);
  c.header('Content-Security-Policy', policy.join('; '));
  c.header('Referrer-Policy', 'strict-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
}
