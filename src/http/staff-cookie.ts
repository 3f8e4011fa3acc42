import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

const NAME = 'staff_session';
const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'Strict', prefix: 'host' } as const;

/** The cookie `__Host-staff_session` (docs/product.md S3) of an answer. */
export interface StaffCookie {
  set(token: string, maxAgeSeconds: number): void;
  clear(): void;
}

/** Returns the cookie, for a handler to set or clear. */
export function readStaffCookie(c: Context): StaffCookie {
  return {
    set: (token, maxAge) => setCookie(c, NAME, token, { ...ATTRIBUTES, maxAge }),
    clear: () => deleteCookie(c, NAME, ATTRIBUTES),
  };
}

/** Returns the token in a request's cookie. */
export function readStaffToken(c: Context): string | undefined {
  return getCookie(c, NAME, 'host');
}

/**
 * Whether a page of another site caused the request: by `Sec-Fetch-Site`, or by `Origin` in browsers without it. Compares only
 * the host of the origin, because the scheme is unknown behind a proxy.
 */
export function isCrossSite(c: Context): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = c.req.header('origin');
  return origin !== undefined && parseHost(origin) !== c.req.header('host');
}

function parseHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
