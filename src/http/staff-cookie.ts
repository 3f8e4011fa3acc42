import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

const NAME = 'staff_session';
const ATTRIBUTES = { path: '/', httpOnly: true, secure: true, sameSite: 'Strict', prefix: 'host' } as const;

/** The cookie `__Host-staff_session` (docs/product.md S3), for an operation to hand out or take back. */
export interface StaffCookie {
  /** Gives the browser `token` for so many seconds. */
  keep(token: string, seconds: number): void;
  /** Takes it from the browser. */
  forget(): void;
}

/** The cookie of an answer. */
export function staffCookieOf(c: Context): StaffCookie {
  return {
    keep: (token, seconds) => setCookie(c, NAME, token, { ...ATTRIBUTES, maxAge: seconds }),
    forget: () => deleteCookie(c, NAME, ATTRIBUTES),
  };
}

/** The token that a request's cookie holds. */
export function staffTokenOf(c: Context): string | undefined {
  return getCookie(c, NAME, 'host');
}
