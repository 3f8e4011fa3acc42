import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pageFile } from '../../src/http/page-file.ts';
import { staffIdpEnvironment } from '../support/id-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';

let provider: IdentityProvider;
let opine: Opine;

beforeAll(async () => {
  provider = await startIdentityProvider();
  opine = await startOpine({
    ...staffIdpEnvironment(provider),
    PROCESS: 'api',
    WEB_APP: 'true',
    PUBLIC_SUPABASE_URL: 'https://project.example',
  });
});

afterAll(async () => {
  await opine.stop();
  await provider.close();
});

/** Returns the headers of a page that keep others out of it. */
async function guardsOf(path: string, url = opine.url) {
  const { headers } = await fetch(url + path, { redirect: 'manual' });
  const policy = headers.get('content-security-policy') ?? '';
  return {
    policy: policy.split(/; */).filter(Boolean).sort(),
    referrer: headers.get('referrer-policy'),
    frames: headers.get('x-frame-options'),
    types: headers.get('x-content-type-options'),
    opener: headers.get('cross-origin-opener-policy'),
    caching: headers.get('cache-control'),
  };
}

const ALONE = ["base-uri 'none'", "default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"];
const STAFF = [
  "base-uri 'none'",
  "default-src 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  'img-src data:',
];
const GOOGLE = 'https://accounts.google.com/gsi';
const COMMON = { frames: 'SAMEORIGIN', types: 'nosniff', opener: 'same-origin' };

describe('the headers of a page', () => {
  test.each(['/', '/app.js', '/app.css'])(
    'the reference app at %s may load its own files and storage alone',
    async (path) => {
      expect(await guardsOf(path)).toEqual({
        ...COMMON,
        policy: [
          ...ALONE,
          "connect-src 'self' https://project.example",
          "img-src 'self' data: https://project.example",
          "manifest-src 'self'",
          "script-src 'self'",
          "style-src 'self'",
        ].sort(),
        referrer: 'no-referrer',
        caching: 'no-cache',
      });
    },
  );

  test.each(['/docs', '/docs/all', '/docs/page.js', '/docs/page.css'])(
    'the docs page at %s may load its own files alone',
    async (path) => {
      expect(await guardsOf(path)).toEqual({
        ...COMMON,
        policy: [
          ...ALONE,
          "connect-src 'self'",
          'img-src data:',
          "script-src 'self'",
          "style-src 'self'",
        ].sort(),
        referrer: 'no-referrer',
        caching: null,
      });
    },
  );

  test('the sign-in page of staff may load the button of Google, too, and tells it the origin', async () => {
    expect(await guardsOf('/admin')).toEqual({
      policy: [
        ...STAFF,
        `connect-src 'self' ${GOOGLE}/`,
        `frame-src ${GOOGLE}/`,
        `script-src 'self' ${GOOGLE}/client`,
        `style-src 'self' ${GOOGLE}/style`,
      ].sort(),
      referrer: 'strict-origin',
      frames: 'DENY',
      types: 'nosniff',
      opener: 'same-origin-allow-popups',
      caching: 'no-store',
    });
  });

  test('every other answer below /admin has no scripts, no referrer and no frame', async () => {
    const others = {
      referrer: 'no-referrer',
      frames: 'DENY',
      types: 'nosniff',
      opener: 'same-origin',
      caching: 'no-store',
    };
    const policy = [...STAFF, "style-src 'self'"].sort();
    for (const path of [
      '/admin/page.css',
      '/admin/accounts',
      '/admin/users/x',
      '/admin/reports/x/claim',
      '/admin/none',
    ]) {
      expect([path, await guardsOf(path)]).toEqual([path, { ...others, policy }]);
    }
    const withoutSignIn = await anOpine({ PROCESS: 'api' });
    expect(await guardsOf('/admin', withoutSignIn.url)).toEqual({ ...others, policy });
  });
});

describe('a file of a page', () => {
  const aFile = (name: string, text: string) => {
    const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-page-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const file = path.join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  const fetchFrom = (...handlers: ReturnType<typeof pageFile>[]) =>
    Promise.all(handlers.map((handler) => new Hono().get('/', handler).request('/')));

  test('a file has its type, its time, and a tag that its bytes decide', async () => {
    const [one, other, same, edited] = await fetchFrom(
      pageFile(aFile('page.css', 'a {}')),
      pageFile(aFile('page.css', 'b {}')),
      pageFile(aFile('page.css', 'a {}')),
      pageFile(aFile('page.css', 'a {}'), (text) => text.replace('a', 'b')),
    );
    expect(one?.headers.get('content-type')).toMatch(/^text\/css/);
    expect(Date.parse(one?.headers.get('last-modified') ?? '')).toBeGreaterThan(Date.now() - 3_600_000);
    const tagOf = (response?: Response) => response?.headers.get('etag');
    expect(tagOf(one)).toMatch(/^"[0-9a-f]{40}"$/);
    expect(tagOf(same)).toBe(tagOf(one));
    expect(tagOf(other)).not.toBe(tagOf(one));
    expect([await edited?.text(), tagOf(edited)]).toEqual(['b {}', tagOf(other)]);
  });

  test('a file is read once', async () => {
    const file = aFile('page.css', 'a {}');
    const app = new Hono().get('/', pageFile(file));
    await app.request('/');
    writeFileSync(file, 'b {}');
    expect(await (await app.request('/')).text()).toBe('a {}');
  });
});
