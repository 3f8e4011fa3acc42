import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Opine, startOpine, testEnvironment, WITH_WORKER } from '../support/opine.ts';
import { whileReadsBlock } from '../support/outages.ts';
import { anonymousPerson } from '../support/people.ts';
import { openSocket, requestText } from '../support/raw-http.ts';
import { startServerProcess } from '../support/server-process.ts';
import { expectReconnect, openReadyStream } from '../support/streams.ts';

/** The maximum duration of a stop, with a margin for a busy machine. */
const LIMIT_MS = 5_000;
const CLIENTS = 6;

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const startProcess = () =>
  startServerProcess({ ...testEnvironment(opine.database), ...WITH_WORKER, LOG_LEVEL: 'info' });

/** Repeats a request on one keep-alive connection until a response has Connection: close. */
async function hammer(url: string): Promise<{ answers: number; connections: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  for (let answers = 1; ; answers += 1) {
    const { statusCode, headers } = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = request(`${url}/api/v1/posts`, { agent }, (incoming) => {
        incoming.resume().once('end', () => resolve(incoming));
      });
      outgoing
        .once('socket', (socket) => sockets.add(socket))
        .once('error', reject)
        .end();
    });
    expect(statusCode).toBe(200);
    if (headers.connection === 'close') return { answers, connections: sockets.size };
  }
}

// docs/product.md R3
test('a server stopped under load responds to every request, and ends each connection with Connection: close', async () => {
  const process = await startProcess();
  const hammering = Promise.all(Array.from({ length: CLIENTS }, () => hammer(process.url)));
  await vi.waitUntil(() => process.written().stdout.split('"get_home_feed"').length > 10 * CLIENTS, {
    timeout: 60_000,
  });
  const before = performance.now();
  const { code } = await process.end();
  expect(performance.now() - before).toBeLessThan(LIMIT_MS);
  expect(code).toBe(0);
  const results = await hammering;
  expect(results.map(({ connections }) => connections)).toEqual(Array(CLIENTS).fill(1));
});

test('a stopping server ends an open stream cleanly and responds 503 to a pending request', async () => {
  const process = await startProcess();
  const stream = await openReadyStream(process, await anonymousPerson(opine));
  const client = await openSocket(process.url);
  const before = performance.now();
  await whileReadsBlock(opine.database, 'app.posts', async () => {
    client.write(requestText('GET', '/posts', { 'X-Request-Id': 'a-slow-one' }));
    expect((await fetch(`${process.url}/healthz`)).status).toBe(200);
    const ended = process.end();
    await expectReconnect(stream);
    const { status, headers } = await client.answer();
    expect(status).toBe(503);
    expect(headers.get('connection')).toBe('close');
    expect(headers.get('x-request-id')).toBe('a-slow-one');
    expect(await client.ended()).toBe('');
    expect((await ended).code).toBe(0);
    expect(performance.now() - before).toBeLessThan(LIMIT_MS);
  });
});

test('a stopping server responds 503 to a request whose body is incomplete', async () => {
  const process = await startProcess();
  const client = await openSocket(process.url);
  client.write(
    requestText(
      'POST',
      '/auth/otp/request',
      { 'Content-Type': 'application/json', 'Content-Length': 20 },
      '{',
    ),
  );
  expect((await fetch(`${process.url}/healthz`)).status).toBe(200);
  const ended = process.end();
  const { status, headers } = await client.answer();
  expect([status, headers.get('connection')]).toEqual([503, 'close']);
  expect((await ended).code).toBe(0);
});
