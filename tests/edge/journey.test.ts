import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildFunctions,
  DENO_PACKAGES,
  type EdgeFunction,
  startEdgeFunction,
} from '../../scripts/local/edge-function.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testEnvironment } from '../support/opine.ts';
import { postChunked } from '../support/raw-http.ts';

const TEN_MEGABYTES = 10_000_000;
const json = { 'content-type': 'application/json' };

describe.each(DENO_PACKAGES)('the API function on npm package %s', (deno) => {
  let database: TestDatabase;
  let edge: EdgeFunction;
  let guest: Client;

  beforeAll(async () => {
    await buildFunctions();
    database = await createTestDatabase();
    edge = await startEdgeFunction(
      {
        ...testEnvironment(database),
        LOG_LEVEL: 'info',
        CORS_ORIGINS: 'https://app.example',
      },
      { deno },
    );
    guest = clientOf(edge.url);
  });

  afterAll(async () => {
    await edge?.stop();
    await database?.drop();
  });

  /** Signs a new person in by phone and takes them to level 3. */
  async function signUp(phoneNumber: string, username: string): Promise<Json> {
    await guest.post('/auth/otp/request', { phoneNumber });
    const { data: session } = await guest.post('/auth/otp/verify', { phoneNumber, code: '4242' });
    const person = clientOf(edge.url, session.accessToken);
    const basics = { fullName: 'Edgar Edge', username, termsAccepted: true };
    expect(await person.put('/users/me/onboarding/profile-basics', basics)).toMatchObject({ status: 200 });
    expect(await person.put('/users/me/onboarding/media', {})).toMatchObject({
      status: 200,
      data: { status: { level: 3 } },
    });
    return session;
  }

  describe('a request', () => {
    test('pages of CORS_ORIGINS may call the API, and other pages may not', async () => {
      for (const [origin, allowed] of [
        ['https://app.example', 'https://app.example'],
        ['https://other.example', null],
      ] as const) {
        const headers = { origin, 'access-control-request-method': 'GET' };
        const preflight = await fetch(`${edge.url}/api/v1/posts`, { method: 'OPTIONS', headers });
        const answer = await fetch(`${edge.url}/api/v1/posts`, { headers });
        expect([preflight.status, answer.status]).toEqual([204, 200]);
        for (const response of [preflight, answer]) {
          await response.body?.cancel();
          expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
          expect(response.headers.get('vary')).toContain('Origin');
        }
      }
    });

    test('a body of an operation without a body is 422', async () => {
      const id = crypto.randomUUID();
      expect(await guest.send('DELETE', `/posts/${id}/save`, '{}', { headers: json })).toMatchObject({
        status: 401,
      });
      const session = await signUp('+12025550009', 'bodiless');
      const edgar = clientOf(edge.url, session.accessToken);
      for (const body of ['[]', '{"a":1}', ' ']) {
        expect(await edgar.send('DELETE', `/posts/${id}/save`, body, { headers: json })).toMatchObject(
          refusal(422, 'VALIDATION_FAILED'),
        );
      }
    });

    test('a person signs up, posts, votes, refreshes the session and logs out', async () => {
      const session = await signUp('+12025550001', 'edgar');
      const edgar = clientOf(edge.url, session.accessToken);
      const { data: post } = await edgar.post('/posts', { sliderText: 'At the edge?', visibility: 'public' });

      const vote = { position: 'strong_right' };
      expect(await edgar.post(`/posts/${post.id}/vote`, vote)).toMatchObject({ status: 201 });
      expect(await guest.get(`/posts/${post.id}/vote/summary`)).toMatchObject({
        data: { summary: { totalVotes: 1, leftCount: 0, neutralCount: 0, rightCount: 1 } },
      });
      expect(await edgar.post(`/posts/${post.id}/vote`, vote)).toMatchObject(
        refusal(409, 'VOTE_ALREADY_CAST'),
      );

      const { refreshToken } = session;
      const { data: next } = await guest.post('/auth/session/refresh', { refreshToken });
      const refreshed = clientOf(edge.url, next.accessToken);
      const goodbye = { refreshToken: next.refreshToken, logoutFromAllDevices: false };
      expect(await refreshed.post('/auth/logout', goodbye)).toMatchObject({ status: 200, data: {} });
      expect(await refreshed.get('/users/me/onboarding/status')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    });

    test('the OpenAPI document is served', async () => {
      const response = await fetch(`${edge.url}/api/v1/openapi.json`);
      expect(await response.json()).toMatchObject({
        openapi: '3.1.0',
        info: { title: 'Opine' },
        servers: [{ url: expect.stringMatching(/^http.+\/functions\/v1\/api\/v1$/) }],
      });
    });

    test('each request logs one JSON line to the console of the platform', async () => {
      await guest.get('/posts', { headers: { 'x-request-id': 'seen-at-the-edge' } });
      const line = edge
        .log()
        .split('\n')
        .find((line) => line.includes('seen-at-the-edge'));
      expect(JSON.parse(line ?? '')).toMatchObject({ operation: 'get_home_feed', status: 200 });
    });
  });

  describe('bad input', () => {
    test.each<[string, string | Uint8Array<ArrayBuffer>]>([
      ['an escaped NUL', '{"phoneNumber":"+1202555\\u00000001"}'],
      ['a bare NUL', '{"phoneNumber":"+1202555\u00000001"}'],
      ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['half a surrogate pair', '{"phoneNumber":"\\ud800"}'],
      ['half of a JSON object', '{"phoneNumber":'],
      ['an array', '[]'],
      ['no content', ''],
    ])('a body with %s is 422', async (_, body) => {
      const reply = await guest.send('POST', '/auth/otp/request', body, { headers: json });
      expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    });

    // The server of Deno 2.1 resets a connection whose body was not read to its end. The Edge Runtime has another server in front.
    test.skipIf(deno === 'deno-2.1')(
      'a too large body is 413, with and without Content-Length, and the next request is served',
      async () => {
        const tooLarge = refusal(413, 'PAYLOAD_TOO_LARGE');
        const body = 'x'.repeat(TEN_MEGABYTES);
        expect(await guest.send('POST', '/auth/otp/request', body, { headers: json })).toMatchObject(
          tooLarge,
        );
        expect(await postChunked(edge.url, '/auth/otp/request', TEN_MEGABYTES)).toMatchObject(tooLarge);
        expect(await guest.get('/auth/login-config')).toMatchObject({ status: 200 });
      },
    );

    test.each([
      ['one part', 'nonsense'],
      ['three parts that are no JSON', 'a.b.c'],
      ['5,000 characters', `e30.${'x'.repeat(5000)}.e30`],
    ])('an invalid token of %s is 401 where a bearer is required and a guest elsewhere', async (_, token) => {
      const caller = clientOf(edge.url, token);
      expect(await caller.get('/users/me/onboarding/status')).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await caller.get('/posts')).toMatchObject({ status: 200 });
    });

    test.each([
      ['/posts/no-id', 404, 'POST_NOT_FOUND'],
      ['/posts/%00', 404, 'POST_NOT_FOUND'],
      ['/posts/%ff', 404, 'POST_NOT_FOUND'],
      ['/posts?limit=1e9', 422, 'VALIDATION_FAILED'],
      ['/posts?cursor=%00', 422, 'VALIDATION_FAILED'],
      ['/nowhere', 404, 'ROUTE_NOT_FOUND'],
    ] as const)('GET %s answers %i %s', async (path, status, code) => {
      expect(await guest.get(path)).toMatchObject(refusal(status, code));
    });

    test('a method that the path does not have is 405 with Allow', async () => {
      const reply = await guest.send('DELETE', '/auth/login-config');
      expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
      expect(reply.headers.get('allow')).toBe('GET, HEAD');
    });
  });

  test('a wrong environment logs one line, and every request answers 503', async () => {
    const broken = await startEdgeFunction(
      {
        ...testEnvironment(database),
        HASH_SECRET: '',
        SMS_PROVIDER: 'pigeon',
      },
      { deno },
    );
    try {
      const client = clientOf(broken.url);
      for (const path of ['/posts', '/nowhere']) {
        expect(await client.get(path)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
      }
      expect(broken.log().match(/^Wrong configuration:.*$/gm)).toEqual([
        'Wrong configuration: HASH_SECRET is missing; SMS_PROVIDER must be console or twilio.',
      ]);
    } finally {
      await broken.stop();
    }
  });
});
