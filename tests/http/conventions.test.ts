import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/domains/all.ts';
import { type Json, readReply, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { postChunked } from '../support/raw-http.ts';

const MEBIBYTE = 1024 * 1024;
const TOO_LARGE = refusal(413, 'PAYLOAD_TOO_LARGE');
const json = { 'content-type': 'application/json' };

let opine: Opine;
let amara: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
  post = await aSlider(amara);
});

afterAll(() => opine.stop());

const pathOf = (template: string) => template.replaceAll(/\{\w+\}/g, post.id);

describe('a response', () => {
  // docs/product.md W2
  test('a successful response is an envelope of success, message and data', async () => {
    const response = await fetch(`${opine.url}/api/v1/posts/${post.id}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      success: true,
      message: expect.stringMatching(/./),
      data: expect.objectContaining({ id: post.id }),
    });
  });

  // docs/product.md W3
  test('a refusal is an envelope of success and error', async () => {
    const response = await fetch(`${opine.url}/api/v1/posts/none`);
    expect(await response.json()).toEqual({
      success: false,
      error: { code: 'POST_NOT_FOUND', message: expect.stringMatching(/./), details: {} },
    });
  });

  // docs/product.md W19
  test('a response with posts is not cacheable, for guests and users', async () => {
    for (const viewer of [aGuest(opine), amara]) {
      for (const path of ['/posts', `/posts/${post.id}`, '/posts/none']) {
        const { headers } = await viewer.get(path);
        expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
        expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
      }
    }
    const { headers } = await amara.post('/posts', { thoughtText: 'New.', visibility: 'public' });
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store');
    expect(headers.get('vary')?.split(/, */)).toContain('Authorization');
  });

  // docs/product.md W19
  test('no cache may store the answer of any operation, whether it succeeds or not', async () => {
    for (const { id, method, path, eventPayload } of ROUTES) {
      const callers = method === 'get' && !eventPayload ? [aGuest(opine), amara] : [aGuest(opine)];
      for (const caller of callers) {
        const { headers } = await caller.send(method.toUpperCase(), pathOf(path));
        expect([id, headers.get('cache-control')]).toEqual([id, 'private, no-cache, no-store']);
        expect([id, headers.get('vary')]).toEqual([id, expect.stringContaining('Authorization')]);
      }
    }
  });

  // docs/product.md W14
  test('a 401 has WWW-Authenticate: Bearer', async () => {
    const { headers } = await aGuest(opine).get('/users/me/onboarding/status');
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect((await amara.get('/posts')).headers.get('www-authenticate')).toBeNull();
  });
});

// docs/product.md W9
describe('a request id', () => {
  const idOf = async (headers: Record<string, string>, path = '/posts') =>
    (await aGuest(opine).get(path, { headers })).headers.get('x-request-id');

  test.each(['abc', '7c9e6679-7425-40de-944b-e07fc1f90ae7', 'client-1_2=3', 'trace.1:2/3', 'x'.repeat(64)])(
    'a valid X-Request-Id is returned: "%s"',
    async (id) => {
      expect(await idOf({ 'x-request-id': id })).toBe(id);
    },
  );

  test.each(['', 'x'.repeat(1000), 'two words', 'a"b', '<b>', 'tab\tb', '\u00e9\u00fc', '{"a":1}'])(
    'an invalid X-Request-Id is replaced by a new one: "%s"',
    async (id) => {
      expect(await idOf({ 'x-request-id': id })).toMatch(/^[\w-]{16,64}$/);
    },
  );

  test('two requests without an X-Request-Id get different ids', async () => {
    expect(await idOf({})).not.toBe(await idOf({}));
  });

  test('every refusal returns the X-Request-Id of its request', async () => {
    const headers = { 'x-request-id': 'of-a-refusal' };
    const paths = [
      '/nothing',
      '/posts/none',
      '/users/me/onboarding/status',
      '/posts?limit=0',
      '/auth/logout',
    ];
    for (const path of paths) expect(await idOf(headers, path)).toBe('of-a-refusal');
    const refused = await aGuest(opine).post('/auth/logout', 'x'.repeat(MEBIBYTE), { headers });
    expect(refused.headers.get('x-request-id')).toBe('of-a-refusal');
  });
});

describe('a path', () => {
  // docs/product.md W1, W10
  test.each([
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/posts/a/b/c',
    '/api',
    '/api/v2/posts',
    '/x',
    '//',
  ])('%s is not found', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const reply = await readReply(await fetch(opine.url + path, { method }));
      expect(reply).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
    }
  });

  // docs/product.md W10
  test.each([...new Set(ROUTES.map(({ path }) => path))])(
    '%s refuses other methods with 405 and Allow',
    async (path) => {
      const own = ROUTES.filter((route) => route.path === path).map(({ method }) => method.toUpperCase());
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !own.includes(method));
      for (const method of others) {
        const reply = await aGuest(opine).send(method, pathOf(path));
        expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
        const allowed = reply.headers.get('allow')?.split(/, */) ?? [];
        expect(allowed).toEqual(expect.arrayContaining(own));
        expect(allowed.filter((name) => others.includes(name))).toEqual([]);
      }
    },
  );
});

describe('a request body', () => {
  /** Returns the JSON body of a post, `size` bytes long. */
  const bodyOf = (size: number) => {
    const empty = JSON.stringify({ visibility: 'public', thoughtText: '' });
    return JSON.stringify({ visibility: 'public', thoughtText: 'x'.repeat(size - empty.length) });
  };

  test('a body with 50,000 unknown fields is refused in under 2,000 characters', async () => {
    const fields = Array.from({ length: 50_000 }, (_, n) => [`f${n}`, 0]);
    const body = JSON.stringify(Object.fromEntries(fields));
    const reply = await amara.send('POST', '/posts', body, { headers: json });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect(JSON.stringify(reply.error).length).toBeLessThan(2000);
  });

  // docs/product.md W11
  test('a body of 1 MiB is read, and a body of one more byte is refused with 413', async () => {
    const send = (size: number) => amara.send('POST', '/posts', bodyOf(size), { headers: json });
    expect((await send(MEBIBYTE)).status).toBe(422);
    expect(await send(MEBIBYTE + 1)).toMatchObject(TOO_LARGE);
  });

  // Staff operations answer 401 before they read a body.
  test.each(
    ROUTES.filter((route) => route.body && !route.path.startsWith('/admin')).map(({ method, path }) => [
      method.toUpperCase(),
      path,
    ]),
  )('a body of 10 MiB is refused with 413 by %s %s', async (method, path) => {
    const body = bodyOf(10 * MEBIBYTE);
    expect(await amara.send(method, pathOf(path), body, { headers: json })).toMatchObject(TOO_LARGE);
  });

  test('a chunked body of 10 MiB is refused with 413', async () => {
    expect(await postChunked(opine.url, '/auth/otp/request', 10 * MEBIBYTE)).toMatchObject(TOO_LARGE);
    expect((await aGuest(opine).get('/posts')).status).toBe(200);
  });

  // docs/product.md W12
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['json'],
    ['application/jsonp'],
    [''],
  ])('a body of the unsupported Content-Type "%s" is refused with 422', async (type) => {
    const headers = { 'content-type': type };
    const reply = await aGuest(opine).send('POST', '/auth/otp/request', '{"phoneNumber":"+12025559999"}', {
      headers,
    });
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'a body of Content-Type "%s" is accepted',
    async (type) => {
      const headers = { 'content-type': type };
      const body = JSON.stringify({ deviceId: 'install of a careful client' });
      expect((await aGuest(opine).send('POST', '/auth/anonymous/session', body, { headers })).status).toBe(
        200,
      );
    },
  );
});

describe('outside the API', () => {
  // docs/product.md R2
  test('the health and readiness endpoints return 200', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await fetch(opine.url + path)).status).toBe(200);
  });

  // docs/product.md R9
  test('the docs page is served and links to no other host', async () => {
    const response = await fetch(`${opine.url}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await response.text();
    expect(
      [...page.matchAll(/(?:src|href)=["']?((?:https?:)?\/\/[^"'\s>]+)/g)].map(([, url]) => url),
    ).toEqual([]);
  });
});

test.each(['/api/v1/openapi.json', '/api/v1/openapi.app.json', '/healthz', '/readyz', '/docs', '/docs/all'])(
  '%s refuses POST with 405 and allows GET and HEAD',
  async (path) => {
    const reply = await readReply(await fetch(opine.url + path, { method: 'POST' }));
    expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
    expect(reply.headers.get('allow')).toBe('GET, HEAD');
  },
);
