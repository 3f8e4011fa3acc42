import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/local/ports.ts';
import type { Json } from '../support/client.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { whileReadsBlock } from '../support/outages.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import { openSocket, requestText } from '../support/raw-http.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const json = { 'Content-Type': 'application/json' };

let opine: Opine;
let server: ServerProcess;
let metricsUrl: string;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  const METRICS_PORT = String(await freePort());
  metricsUrl = `http://127.0.0.1:${METRICS_PORT}/metrics`;
  server = await startServerProcess({ ...testEnvironment(opine.database), LOG_LEVEL: 'info', METRICS_PORT });
  maya = await anonymousPerson(opine);
});

afterAll(async () => {
  const { code, stderr } = await server.end();
  await opine.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

const logged = (): Json[] =>
  server
    .written()
    .stdout.split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line));

/** Waits for the log line of a request. */
const lineOf = (requestId: string | null): Promise<Json> =>
  vi.waitUntil(() => logged().find((line) => line.requestId === requestId), { timeout: 60_000 });

describe('a client that disconnects', () => {
  const head = (id: string, method: string, path: string, headers: Record<string, string | number>) =>
    requestText(method, path, {
      ...json,
      'X-Request-Id': id,
      Authorization: `Bearer ${maya.session.accessToken}`,
      ...headers,
    });

  test.for<
    [what: string, method: string, path: string, headers: Record<string, string | number>, sent: string]
  >([
    ['in the middle of a body', 'POST', '/auth/otp/request', { 'Content-Length': 100 }, '{"phoneNumber"'],
    ['before the body', 'POST', '/auth/otp/request', { 'Content-Length': 100 }, ''],
    [
      'in the middle of a chunk',
      'POST',
      '/auth/otp/request',
      { 'Transfer-Encoding': 'chunked' },
      'ff\r\n{"phone',
    ],
    ['between chunks', 'PATCH', '/users/me/profile', { 'Transfer-Encoding': 'chunked' }, '2\r\n{}\r\n'],
    [
      'in the middle of a body that the operation does not take',
      'GET',
      '/posts',
      { 'Content-Length': 100 },
      '{',
    ],
    ['in the middle of the body of a DELETE', 'DELETE', '/users/me', { 'Content-Length': 2 }, '{'],
  ])('a disconnect %s is logged as 499 at level info', async ([what, method, path, headers, sent]) => {
    for (const end of ['reset', 'destroy'] as const) {
      const id = `${what.replaceAll(' ', '-')}-${end}`;
      const client = await openSocket(server.url);
      client.write(head(id, method, path, headers) + sent);
      // A response to a later request proves that the server has read the first one.
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      if (end === 'reset') client.socket.resetAndDestroy();
      else client.socket.destroy();
      const line = await lineOf(id);
      expect([line.status, line.level]).toEqual([499, 30]);
    }
  });

  test('a disconnect in the middle of the body of a pipelined request is logged at level info', async () => {
    const client = await openSocket(server.url);
    await whileReadsBlock(opine.database, 'app.posts', async () => {
      client.write(head('pipelined-first', 'GET', '/posts', {}));
      client.write(`${head('pipelined-second', 'POST', '/auth/otp/request', { 'Content-Length': 100 })}{`);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      client.socket.resetAndDestroy();
      expect((await lineOf('pipelined-second')).level).toBe(30);
    });
    expect((await lineOf('pipelined-first')).level).toBe(30);
  });

  test('a disconnect in the middle of a form of the staff page is logged at level info', async () => {
    const client = await openSocket(server.url);
    const form = 'Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n';
    client.write(
      `POST /admin/session/end HTTP/1.1\r\nHost: a\r\nX-Request-Id: form\r\n${form}\r\n3\r\na=1\r\n`,
    );
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    client.socket.resetAndDestroy();
    const line = await lineOf('form');
    expect(line.level).toBe(30);
  });

  test('a disconnect before the response is logged at level info', async () => {
    const client = await openSocket(server.url);
    await whileReadsBlock(opine.database, 'app.posts', async () => {
      client.write(head('waiting', 'GET', '/posts', {}));
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      client.socket.resetAndDestroy();
    });
    expect((await lineOf('waiting')).level).toBe(30);
  });

  // docs/product.md W20
  test('the metrics count disconnects as 499 and none as 5xx', async () => {
    const counted = (await fetch(metricsUrl).then((answer) => answer.text()))
      .split('\n')
      .filter((line) => line.startsWith('opine_requests_total{'));
    expect(counted).toContainEqual(expect.stringMatching(/operation="request_otp".*status="499"/));
    expect(counted.filter((line) => line.includes('status="5'))).toEqual([]);
  });
});

describe('a request that the HTTP parser refuses', () => {
  const cases: [what: string, status: number, code: string, text: string][] = [
    ['is not HTTP', 400, 'VALIDATION_FAILED', 'NONSENSE\r\n\r\n'],
    ['is TLS', 400, 'VALIDATION_FAILED', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
    ['has no version', 400, 'VALIDATION_FAILED', 'GET /api/v1/posts\r\n\r\n'],
    ['is of HTTP/9', 400, 'VALIDATION_FAILED', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['has no Host', 400, 'VALIDATION_FAILED', 'GET /api/v1/posts HTTP/1.1\r\n\r\n'],
    ['has two Hosts', 400, 'VALIDATION_FAILED', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n'],
    [
      'is of HTTP/1.0 with two Hosts',
      400,
      'VALIDATION_FAILED',
      'GET / HTTP/1.0\r\nHost: a\r\nHOST: b\r\n\r\n',
    ],
    ['has an invalid Host', 400, 'VALIDATION_FAILED', 'GET /api/v1/posts HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['has a backslash in its path', 400, 'VALIDATION_FAILED', 'GET /api\\v1 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['has a header without a name', 400, 'VALIDATION_FAILED', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'],
    ['has a header with a NUL', 400, 'VALIDATION_FAILED', 'GET / HTTP/1.1\r\nHost: a\r\nA: \u0000\r\n\r\n'],
    [
      'has two Content-Lengths',
      400,
      'VALIDATION_FAILED',
      requestText('POST', '/posts', { 'Content-Length': '1, 2' }, 'a'),
    ],
    [
      'has a negative Content-Length',
      400,
      'VALIDATION_FAILED',
      requestText('POST', '/posts', { 'Content-Length': '-1' }),
    ],
    [
      'has both a Content-Length and chunks',
      400,
      'VALIDATION_FAILED',
      requestText('POST', '/posts', { 'Content-Length': 3, 'Transfer-Encoding': 'chunked' }, '0\r\n\r\n'),
    ],
    [
      'has a chunk without a size',
      400,
      'VALIDATION_FAILED',
      requestText('POST', '/auth/otp/request', { ...json, 'Transfer-Encoding': 'chunked' }, 'zz\r\n\r\n'),
    ],
    [
      'has too long a header',
      431,
      'PAYLOAD_TOO_LARGE',
      requestText('GET', '/posts', { Cookie: 'x'.repeat(100_000) }),
    ],
    ['has too long a path', 431, 'PAYLOAD_TOO_LARGE', requestText('GET', `/${'x'.repeat(100_000)}`)],
    [
      'has too many headers',
      431,
      'PAYLOAD_TOO_LARGE',
      requestText(
        'GET',
        '/posts',
        Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`x-${n}`, 'x'])),
      ),
    ],
  ];

  // docs/product.md W20
  test.for(cases)(
    'a request that %s returns %i %s with a request id, and is logged',
    async ([, status, code, text]) => {
      const client = await openSocket(server.url);
      client.write(Buffer.from(text, 'latin1'));
      const reply = await client.answer();
      expect(reply).toMatchObject({ status, error: { code } });
      client.socket.end();
      expect(await client.ended()).toBe('');
      const line = await lineOf(reply.headers.get('x-request-id'));
      expect([line.status, line.level]).toEqual([status, 30]);
      if (code === 'VALIDATION_FAILED') expect(reply.error.details.issues).toHaveLength(1);
    },
  );

  test('the response has Connection: close, and the server keeps serving others', async () => {
    const client = await openSocket(server.url);
    client.write('NONSENSE\r\n\r\n');
    expect((await client.answer()).headers.get('connection')).toBe('close');
    client.write('NONSENSE\r\n\r\n');
    expect(await client.ended()).toBe('');
    expect((await fetch(`${server.url}/api/v1/posts`)).status).toBe(200);
  });
});
