import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { isCrossSite } from '../../src/http/staff-cookie.ts';

describe('a request that another site causes', () => {
  const crossSite = async (headers: Record<string, string>) => {
    const app = new Hono().get('/', (c) => c.json(isCrossSite(c)));
    return (await app.request('/', { headers })).json();
  };

  test.each([
    ['same-origin', false],
    ['none', false],
    ['same-site', true],
    ['cross-site', true],
    ['anything', true],
  ])('a request with Sec-Fetch-Site %s comes from another site: %s', async (site, expected) => {
    const origins = { host: 'opine.example', origin: 'https://opine.example' };
    expect(await crossSite({ 'sec-fetch-site': site })).toBe(expected);
    // A browser with this header decides, whatever Origin says.
    expect(await crossSite({ ...origins, 'sec-fetch-site': site })).toBe(expected);
  });

  test.each([
    ['https://opine.example', false],
    ['http://opine.example', false],
    ['https://opine.example:8443', true],
    ['https://evil.example', true],
    ['null', true],
    [undefined, false],
  ])('a request of an older browser with Origin %s comes from another site: %s', async (origin, expected) => {
    expect(await crossSite({ host: 'opine.example', ...(origin && { origin }) })).toBe(expected);
  });
});
