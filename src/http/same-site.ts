import type { Context } from 'hono';

/**
 * Whether the page of another site makes a browser send this request: as `Sec-Fetch-Site` says or, where a browser does
 * not say, by an `Origin` of another host. Behind a proxy the host alone is known, not the scheme.
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
