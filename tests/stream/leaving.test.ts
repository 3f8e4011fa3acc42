import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { follow } from '../support/graph.ts';
import { type Opine, startOpine, WITH_WORKER } from '../support/opine.ts';
import { whileReadsBlock } from '../support/outages.ts';
import { anonymousPerson, type Person, registeredPerson } from '../support/people.ts';
import { type StreamServer, startStreamServer, TRANSPORTS } from '../support/streaming.ts';
import { eventually, expectReconnect, openReadyStream, signalOfType } from '../support/streams.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(WITH_WORKER);
});

afterAll(() => opine.stop());

const expectEmpty = async (streaming: StreamServer) => {
  await eventually(() => streaming.count).toBe(0);
  await eventually(streaming.connections).toBe(0);
};

describe.each(TRANSPORTS)('a stream over %s', (_, openStream) => {
  test('a client that closes or dies leaves nothing behind, and the other streams get signals', async () => {
    const streaming = await startStreamServer(opine, { openStream });
    const [maya, jonas] = [await registeredPerson(opine), await registeredPerson(opine)];
    const stays = await openReadyStream(streaming, maya);
    const leaves = await openReadyStream(streaming, maya);
    const vanishes = await openReadyStream(streaming, jonas);
    expect(streaming.count).toBe(3);
    leaves.leave();
    vanishes.vanish();
    await eventually(() => streaming.count).toBe(1);
    await follow(jonas, maya);
    await signalOfType(stays, 'user_followed');
    stays.leave();
    await expectEmpty(streaming);
  });

  test('a client that disconnects while the stream opens leaves nothing behind', async () => {
    const streaming = await startStreamServer(opine, { openStream });
    const maya = await anonymousPerson(opine);
    // The delays hit the parsing of the request, the session look-up and the start of the answer.
    for (const delayMs of [0, 1, 2, 4, 8, 16, 32]) {
      const socket = connected(streaming);
      socket.write(requestOf(maya), () => setTimeout(() => socket.resetAndDestroy(), delayMs));
      await new Promise((resolve) => socket.once('close', resolve));
    }
    await openReadyStream(streaming, maya).then((stream) => stream.leave());
    await expectEmpty(streaming);
  });
});

// docs/product.md N19
test('the eleventh stream of a person ends their oldest stream and no other', async () => {
  const streaming = await startStreamServer(opine);
  const [maya, jonas] = [await anonymousPerson(opine), await anonymousPerson(opine)];
  const his = await openReadyStream(streaming, jonas);
  const streams = [];
  while (streams.length < 10) streams.push(await openReadyStream(streaming, maya));
  expect(streaming.count).toBe(11);
  streams.push(await openReadyStream(streaming, maya));
  const [oldest, ...others] = streams;
  if (oldest) await expectReconnect(oldest);
  expect(streaming.count).toBe(11);
  for (const { ending } of [his, ...others]) expect(ending).toBeUndefined();
});

test('a stream outlives the timeouts of other requests', async () => {
  const timeout = { keepAliveTimeout: 20, headersTimeout: 50, requestTimeout: 50 };
  const streaming = await startStreamServer(opine, { timeout });
  const maya = await registeredPerson(opine);
  const stream = await openReadyStream(streaming, maya);
  for (const _ of [1, 2, 3]) {
    const follower = await registeredPerson(opine);
    await follow(follower, maya);
    await stream.waitFor(({ data }) => data.actorId === follower.id);
  }
  expect(stream.ending).toBeUndefined();
});

describe('a connection with several requests', () => {
  const other = 'GET /api/v1/auth/login-config HTTP/1.1\r\nHost: opine\r\n\r\n';

  test('a stream requested behind another request begins after the other answer', async () => {
    const streaming = await startStreamServer(opine);
    const maya = await registeredPerson(opine);
    const socket = connected(streaming);
    const text = textOf(socket);
    await whileReadsBlock(opine.database, 'app.default_feed_users', async () => {
      socket.write(`GET /api/v1/posts HTTP/1.1\r\nHost: opine\r\n\r\n${requestOf(maya)}`);
      // After three other streams the pipelined stream waits for its turn.
      for (const _ of [1, 2, 3]) (await openReadyStream(streaming, maya)).leave();
    });
    await eventually(text).toMatch(/"success":true.*HTTP\/1\.1 200 OK.*event: ready\n/s);
    await follow(await registeredPerson(opine), maya);
    await eventually(text).toContain('event: notification');
    socket.destroy();
    await expectEmpty(streaming);
  });

  test('a request sent after the stream began gets no answer', async () => {
    const streaming = await startStreamServer(opine);
    const maya = await registeredPerson(opine);
    const socket = connected(streaming);
    const text = textOf(socket);
    socket.write(requestOf(maya));
    await eventually(text).toContain('event: ready');
    socket.write(other);
    await follow(await registeredPerson(opine), maya);
    await eventually(text).toContain('event: notification');
    expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1);
    socket.destroy();
    await expectEmpty(streaming);
  });

  test('a request sent together with the stream gets no answer and leaves nothing behind', async () => {
    const streaming = await startStreamServer(opine);
    const socket = connected(streaming);
    const text = textOf(socket);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(requestOf(await anonymousPerson(opine)) + other);
    await eventually(text).toContain('text/event-stream');
    socket.end();
    await closed;
    expect(text().match(/HTTP\/1\.1/g)).toHaveLength(1);
    await expectEmpty(streaming);
  });
});

function connected({ url }: StreamServer): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Returns a function that returns everything received so far. */
function textOf(socket: Socket): () => string {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return () => text;
}

function requestOf({ session }: Person): string {
  const head = [
    'GET /api/v1/notifications/stream HTTP/1.1',
    'Host: opine',
    `Authorization: Bearer ${session.accessToken}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n`;
}
