import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { ApiError, ERRORS, type ErrorCode, type ErrorDetails } from '../../src/contract/errors.ts';
import { answerError, parserRefusal, succeed } from '../../src/http/answer.ts';

/** Returns the answer to a request that fails with `error`. */
async function answerTo(error: Error, init?: RequestInit): Promise<Response> {
  const app = new Hono().onError(answerError).get('/', () => {
    throw error;
  });
  return app.request('/', init);
}

const JSON_HEADERS = {
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache, no-store',
  vary: 'Authorization',
};

const OWN_HEADERS: [code: ErrorCode, details: ErrorDetails, headers: object][] = [
  ['UNAUTHORIZED', {}, { 'www-authenticate': 'Bearer' }],
  ['RATE_LIMITED', { retryAfterSeconds: 42 }, { 'retry-after': '42' }],
  ['SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }, { 'retry-after': '5' }],
  ['SERVICE_UNAVAILABLE', {}, { 'retry-after': '1' }],
  ['STAFF_SIGN_IN_UNAVAILABLE', {}, { 'retry-after': '1' }],
  ['FORBIDDEN', {}, {}],
  ['VALIDATION_FAILED', { issues: [] }, {}],
  ['INTERNAL_ERROR', {}, {}],
];

describe('the answer to an error', () => {
  test.each(OWN_HEADERS)(
    'the answer to %s with %j has the headers of JSON, and %j',
    async (code, details, headers) => {
      const answer = await answerTo(new ApiError(code, details));
      const { status, message } = ERRORS[code];
      expect(answer.status).toBe(status);
      expect(Object.fromEntries(answer.headers)).toEqual({ ...JSON_HEADERS, ...headers });
      expect(await answer.json()).toEqual({ success: false, error: { code, message, details } });
    },
  );

  test('an error of the code answers 500 and nothing of itself', async () => {
    const answer = await answerTo(new TypeError('Rhabarberkuchen'));
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('Rhabarberkuchen');
  });

  test('an error after the client has hung up counts as 499, unless it is one of the API', async () => {
    const signal = AbortSignal.abort();
    expect((await answerTo(new Error('aborted'), { signal })).status).toBe(499);
    expect((await answerTo(new ApiError('FORBIDDEN'), { signal })).status).toBe(403);
  });
});

test('a success has its envelope and the headers of JSON, and a download its file name', async () => {
  const operation = { status: 201, message: 'Done "well".' } as const;
  const app = new Hono()
    .get('/', (c) => succeed(c, operation, '{"id":1}'))
    .get('/file', (c) => succeed(c, { ...operation, fileName: 'opine.json' }, '{}'));
  const answer = await app.request('/');
  expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([201, JSON_HEADERS]);
  expect(await answer.json()).toEqual({ success: true, message: 'Done "well".', data: { id: 1 } });
  const { headers } = await app.request('/file');
  expect(headers.get('content-disposition')).toBe('attachment; filename="opine.json"');
});

test.each([
  ['HPE_HEADER_OVERFLOW', 431, 'PAYLOAD_TOO_LARGE'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'PAYLOAD_TOO_LARGE'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'VALIDATION_FAILED'],
  ['HPE_INVALID_METHOD', 400, 'VALIDATION_FAILED'],
  [undefined, 400, 'VALIDATION_FAILED'],
])(
  'a request that Node refuses with %s is %i %s, with the headers of JSON and a request id',
  (reason, status, code) => {
    const refusal = parserRefusal(reason);
    const { requestId, headers, body } = refusal;
    expect(refusal).toMatchObject({ status, reason: reason ?? 'ERR_INVALID_REQUEST' });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    expect(sent).toEqual({ ...JSON_HEADERS, 'x-request-id': requestId });
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code } });
  },
);
