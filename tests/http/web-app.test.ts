import { afterAll, beforeAll, expect, test } from 'vitest';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine({ WEB_APP: 'true', PUBLIC_SUPABASE_URL: 'https://project.example/base' });
});

afterAll(() => opine.stop());

const get = (path: string, init: RequestInit = {}) =>
  fetch(opine.url + path, { redirect: 'manual', ...init });

test('the policy of the app allows its own files, and the storage for pictures and uploads only', async () => {
  const { status, headers } = await get('/');
  const policy = headers.get('content-security-policy') ?? '';
  expect(status).toBe(200);
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).toContain("img-src 'self' data: https://project.example;");
  expect(policy).toContain("connect-src 'self' https://project.example;");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
});

test.each(['/', '/app.js', '/app.css'])('a browser that has %s gets 304 for it', async (path) => {
  const first = await get(path);
  await first.text();
  const etag = first.headers.get('etag') ?? '';
  const second = await get(path, { headers: { 'If-None-Match': etag } });
  expect([first.status, second.status, await second.text()]).toEqual([200, 304, '']);
});

// docs/product.md R9
test.each(['/posts/01900000-0000-7000-8000-0000000000b1', '/invitations/a-token', '/join/a-token'])(
  'the link %s leads to the same path of the app',
  async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([302, `/#${path}`]);
  },
);

test('the page names phones with a fixed code where the service has some', async () => {
  expect(await (await get('/')).text()).toContain('content="+1202555*=4242"');
  const other = await anOpine({ WEB_APP: 'true', SMS_TEST_NUMBERS: '' });
  expect(await (await fetch(other.url)).text()).not.toContain('opine-test-phones');
});

// docs/product.md R9
test('without WEB_APP no path of the app exists', async () => {
  const { url } = await anOpine();
  for (const path of ['/', '/app.js', '/posts/x', '/join/x']) {
    expect((await fetch(url + path, { redirect: 'manual' })).status).toBe(404);
  }
});
