import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { localEnvironment } from '../../scripts/local/environment.ts';
import { readConfig } from '../../src/config.ts';
import { ROUTES } from '../../src/domains/all.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { anonymousPerson, type Person } from '../support/people.ts';

const APP = 'https://app.example';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
  .flatMap((host) => [`http://${host}:*`, `https://${host}:*`])
  .join();
const ALLOWED = [
  APP,
  'http://localhost',
  'http://localhost:3000',
  'http://127.0.0.1:8081',
  'https://[::1]:5173',
];
const REFUSED = [
  'https://other.example',
  'http://app.example',
  'https://app.example:444',
  'https://app.example.evil.example',
  'https://evil-app.example',
  'http://localhost.evil.example',
  'http://localhost:3000.evil.example',
  'null',
  'https://app.example/',
  'http://localhost:*',
];

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine({ CORS_ORIGINS: `${APP}, ${LOOPBACK}` });
  maya = await anonymousPerson(opine);
});

afterAll(() => opine.stop());

const pathOf = (template: string) => template.replaceAll(/\{\w+\}/g, crypto.randomUUID());
const corsOf = ({ headers }: Response) => ({
  origin: headers.get('access-control-allow-origin'),
  exposed: headers.get('access-control-expose-headers')?.split(/, */) ?? [],
  varies: headers.get('vary')?.split(/, */).includes('Origin') ?? false,
});
const preflight = (path: string, origin: string, method = 'POST') =>
  fetch(opine.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key,x-request-id',
    },
  });
const isStaff = ({ path }: { path: string }) => path.startsWith('/admin');

// docs/product.md W23
test.for(ROUTES.filter((route) => !isStaff(route)))(
  'a preflight of $id returns 204 to an allowed origin',
  async ({ path, method }) => {
    for (const origin of ALLOWED) {
      const response = await preflight(`/api/v1${pathOf(path)}`, origin, method.toUpperCase());
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(corsOf(response)).toMatchObject({ origin, varies: true });
      const { headers } = response;
      expect(headers.get('access-control-allow-methods')?.split(',')).toContain(method.toUpperCase());
      expect(headers.get('access-control-allow-headers')?.split(/, */).sort()).toEqual([
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'X-Opine-Position',
        'X-Request-Id',
      ]);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-max-age')).toBe('7200');
      expect(headers.get('x-request-id')).not.toBeNull();
    }
  },
);

// docs/product.md W23
test.for(REFUSED)('the origin %s gets no CORS headers', async (origin) => {
  expect(corsOf(await preflight('/api/v1/posts', origin))).toMatchObject({ origin: null, varies: true });
  const response = await fetch(`${opine.url}/api/v1/posts`, { headers: { origin } });
  expect(response.status).toBe(200);
  expect(corsOf(response)).toMatchObject({ origin: null, varies: true });
});

describe('a response to an allowed origin', () => {
  const request = (method: string, path: string, init: RequestInit = {}) =>
    fetch(`${opine.url}${path}`, { method, ...init, headers: { origin: APP, ...init.headers } });
  const asMaya = () => ({ headers: { authorization: `Bearer ${maya.session.accessToken}` } });

  // docs/product.md W23
  test.for<[status: number, call: () => Promise<Response>]>([
    [200, () => request('GET', '/api/v1/posts')],
    [200, () => request('GET', '/api/v1/notifications/stream', asMaya())],
    [401, () => request('GET', '/api/v1/users/me/onboarding/status')],
    [
      403,
      () =>
        request('POST', `/api/v1/posts`, {
          ...asMaya(),
          body: '{"visibility":"public","thoughtText":"a"}',
          headers: { ...asMaya().headers, 'content-type': 'application/json' },
        }),
    ],
    [404, () => request('GET', '/api/v1/posts/none')],
    [404, () => request('GET', '/api/v1/nothing')],
    [405, () => request('PUT', '/api/v1/posts')],
    [413, () => request('POST', '/api/v1/auth/otp/request', { body: 'x'.repeat(1024 * 1024 + 1) })],
    [422, () => request('GET', '/api/v1/posts?limit=0')],
  ])('a response of status %i has the CORS headers of its origin', async ([status, call]) => {
    const response = await call();
    expect(response.status).toBe(status);
    await response.body?.cancel();
    expect(corsOf(response)).toEqual({
      origin: APP,
      exposed: ['X-Request-Id', 'Retry-After', 'Idempotency-Replayed', 'X-Opine-Position'],
      varies: true,
    });
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    const isOfOperation = status !== 405 && !response.url.endsWith('/nothing');
    if (isOfOperation) expect(response.headers.get('vary')).toContain('Authorization');
  });

  test('a rate-limited response has the CORS headers of its origin', async () => {
    const requestCode = () =>
      request('POST', '/api/v1/auth/otp/request', {
        body: '{"phoneNumber":"+12025550199"}',
        headers: { 'content-type': 'application/json' },
      });
    await requestCode();
    const response = await requestCode();
    expect(response.status).toBe(429);
    expect(corsOf(response).origin).toBe(APP);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

// docs/product.md W23
test.for([
  '/admin',
  '/admin/accounts',
  '/admin/page.css',
  ...ROUTES.filter(isStaff).map(({ path }) => `/api/v1${pathOf(path)}`),
])('%s has no CORS headers and refuses a preflight', async (path) => {
  const refused = await preflight(path, APP);
  const answer = await fetch(opine.url + path, { headers: { origin: APP }, redirect: 'manual' });
  for (const response of [refused, answer]) {
    const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control'));
    expect(names).toEqual([]);
  }
  expect(refused.status).toBe(405);
});

test('OPTIONS without preflight headers returns 405 with Allow', async () => {
  const response = await fetch(`${opine.url}/api/v1/posts`, { method: 'OPTIONS', headers: { origin: APP } });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

// docs/product.md W23
test('a server without CORS_ORIGINS sends no CORS headers and refuses preflights with 405', async () => {
  const closed = await startOpine({ CORS_ORIGINS: undefined });
  onTestFinished(() => closed.stop());
  for (const method of ['GET', 'OPTIONS']) {
    const headers = { origin: APP, 'access-control-request-method': 'GET' };
    const response = await fetch(`${closed.url}/api/v1/posts`, { method, headers });
    expect(response.status).toBe(method === 'GET' ? 200 : 405);
    expect(corsOf(response)).toEqual({ origin: null, exposed: [], varies: false });
  }
});

describe('CORS_ORIGINS', () => {
  const read = (CORS_ORIGINS: string | undefined) =>
    readConfig({ ...testEnvironment(opine.database), CORS_ORIGINS }).CORS_ORIGINS;

  test.for([
    '*',
    'https://*.example',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example?a',
    'https://me:pw@app.example',
    'https://app.example:443',
    'https://APP.example',
    'https://app.example:*',
    'http://localhost.example:*',
    'app.example',
    'null',
    'file:///',
    'https://a.example,,https://b.example',
    'https://a.example https://b.example',
  ])('the value "%s" is refused with an error that names CORS_ORIGINS', (origins) => {
    expect(() => read(origins)).toThrow(/CORS_ORIGINS must be origins/);
  });

  test('CORS_ORIGINS accepts comma-separated origins, and may be unset', () => {
    expect(read('https://a.example, http://b.example:8080')).toEqual([
      'https://a.example',
      'http://b.example:8080',
    ]);
    expect(read(undefined)).toEqual([]);
  });

  test('npm start allows every loopback origin unless CORS_ORIGINS is set', () => {
    const parts = { databaseUrl: '', storageUrl: '', pushFile: '' };
    const secrets = { hashSecret: 'x' } as Parameters<typeof localEnvironment>[0];
    expect(read(localEnvironment(secrets, parts, {}).CORS_ORIGINS)).toEqual(LOOPBACK.split(','));
    expect(localEnvironment(secrets, parts, { CORS_ORIGINS: APP }).CORS_ORIGINS).toBe(APP);
  });
});
