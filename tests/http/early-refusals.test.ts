import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson, type Person } from '../support/people.ts';
import { openSocket, requestText } from '../support/raw-http.ts';

/** A slow uplink: longer than the half second after which the connection was cut. */
const PIECES = 12;
const PIECE_MS = 80;
const PIECE = 'x'.repeat(8 * 1024);
const SIZE = PIECES * PIECE.length;
const TOO_LARGE = 8 * 1024 * 1024;

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
  maya = await anonymousPerson(opine);
});

afterAll(() => opine.stop());

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const json = { 'Content-Type': 'application/json' };

// docs/product.md W20
test.for<
  [status: number, name: string, method: string, path: string, headers: Record<string, string | number>]
>([
  [401, 'without a bearer', 'POST', '/posts', { 'Content-Length': SIZE }],
  [
    401,
    'with an expired bearer',
    'POST',
    '/posts',
    { 'Content-Length': SIZE, Authorization: 'Bearer e30.e30.AA' },
  ],
  [401, 'with Connection: close', 'POST', '/posts', { 'Content-Length': SIZE, Connection: 'close' }],
  [401, 'in chunks', 'POST', '/posts', { 'Transfer-Encoding': 'chunked' }],
  [413, 'with a Content-Length over the limit', 'POST', '/auth/otp/request', { 'Content-Length': TOO_LARGE }],
  [
    413,
    'without a body parameter and with a Content-Length over the limit',
    'GET',
    '/posts',
    { 'Content-Length': TOO_LARGE },
  ],
  [
    422,
    'with a malformed id in its path',
    'PUT',
    '/users/me/contact-sync/uploads/none',
    { 'Content-Length': SIZE },
  ],
  [404, 'to no route', 'POST', '/nothing', { 'Content-Length': SIZE }],
  [405, 'with an unsupported method', 'PUT', '/posts', { 'Content-Length': SIZE }],
])(
  'a client that sends its body slowly receives %i for a request %s',
  async ([status, , method, path, headers]) => {
    const bearer = status === 401 ? {} : { Authorization: `Bearer ${maya.session.accessToken}` };
    const client = await openSocket(opine.url);
    const piece = headers['Transfer-Encoding'] ? chunk(PIECE) : PIECE;
    client.write(requestText(method, path, { ...json, ...bearer, ...headers }, piece));
    const reply = await client.answer();
    expect([reply.status, reply.headers.get('connection')]).toEqual([status, 'close']);
    for (let sent = 1; sent < PIECES; sent += 1) {
      await pause(PIECE_MS);
      client.write(piece);
    }
    if (Number(headers['Content-Length']) === TOO_LARGE) client.write('x'.repeat(TOO_LARGE - SIZE));
    if (headers['Transfer-Encoding']) client.write(chunk(''));
    // No reset: a client that reads only after it has sent its body still receives the response.
    expect(await client.ended()).toBe('');
  },
);

// docs/product.md W20
test('a client that sends a chunked body over the limit receives 413', async () => {
  const client = await openSocket(opine.url);
  const large = chunk('x'.repeat(1024 * 1024));
  client.write(
    requestText('POST', '/auth/otp/request', { ...json, 'Transfer-Encoding': 'chunked' }, large + large),
  );
  const reply = await client.answer();
  expect([reply.status, reply.headers.get('connection')]).toEqual([413, 'close']);
  client.write(large + large + chunk(''));
  expect(await client.ended()).toBe('');
});

test('a refused client that keeps sending its body is disconnected', async () => {
  const client = await openSocket(opine.url);
  client.write(requestText('POST', '/posts', { ...json, 'Transfer-Encoding': 'chunked' }));
  expect((await client.answer()).status).toBe(401);
  const large = chunk('x'.repeat(1024 * 1024));
  const broken = new Promise((resolve) => client.socket.once('error', resolve));
  let isBroken = false;
  void broken.then(() => {
    isBroken = true;
  });
  for (let sent = 0; sent < 64 && !isBroken; sent += 1) {
    await new Promise((resolve) => client.socket.write(large, resolve));
  }
  expect(isBroken).toBe(true);
});
