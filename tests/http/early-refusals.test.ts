import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Opine, startOpine } from '../support/opine.ts';
import { anAnonymous, type Person } from '../support/people.ts';
import { openSocket, requestText } from '../support/raw-socket.ts';

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
  maya = await anAnonymous(opine);
});

afterAll(() => opine.stop());

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const json = { 'Content-Type': 'application/json' };

test.for<
  [status: number, what: string, method: string, path: string, headers: Record<string, string | number>]
>([
  [401, 'without a bearer', 'POST', '/posts', { 'Content-Length': SIZE }],
  [
    401,
    'with an expired bearer',
    'POST',
    '/posts',
    { 'Content-Length': SIZE, Authorization: 'Bearer e30.e30.AA' },
  ],
  [
    401,
    'that closes its connection itself',
    'POST',
    '/posts',
    { 'Content-Length': SIZE, Connection: 'close' },
  ],
  [401, 'in chunks', 'POST', '/posts', { 'Transfer-Encoding': 'chunked' }],
  [413, 'that announces too much', 'POST', '/auth/otp/request', { 'Content-Length': TOO_LARGE }],
  [413, 'that announces too much for no body', 'GET', '/posts', { 'Content-Length': TOO_LARGE }],
  [
    422,
    'with a bad id in its path',
    'PUT',
    '/users/me/contact-sync/uploads/none',
    { 'Content-Length': SIZE },
  ],
  [404, 'to no route', 'POST', '/nothing', { 'Content-Length': SIZE }],
  [405, 'of another method', 'PUT', '/posts', { 'Content-Length': SIZE }],
])('%i reaches a request %s whose body arrives slowly', async ([status, , method, path, headers]) => {
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
  // Without a reset: a client that sends all of its body before it reads finds the answer as well.
  expect(await client.ended()).toBe('');
});

test('413 reaches a request in chunks that are too many', async () => {
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

test('a client that never sends the rest of its body holds the connection no longer than one that never stops', async () => {
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
