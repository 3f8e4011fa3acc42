import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

const NOTHING = ["'none'"];
const OURS = ["'self'"];

/** The headers of every page of staff: no script, nothing from elsewhere, and no address given away. */
export const headers = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: NOTHING,
    styleSrc: OURS,
    imgSrc: ['data:'],
    formAction: OURS,
    baseUri: NOTHING,
    frameAncestors: NOTHING,
  },
  referrerPolicy: 'no-referrer',
  xFrameOptions: 'DENY',
  overwrite: false,
});

const GOOGLE = 'https://accounts.google.com/gsi';

/** What Google's button needs beside that, as Google documents it: its scripts and frame, the page's origin, its window. */
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
