import type { Context } from 'hono';

/**
 * Whether a page of another site caused the request: by `Sec-Fetch-Site`, or by `Origin` in browsers without it. Compares only
 * the host of the origin, because the scheme is unknown behind a proxy.
 */
export function isCrossSite(c: Context): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = c.req.header('origin');
  return origin !== undefined && hostOf(origin) !== c.req.header('host');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
