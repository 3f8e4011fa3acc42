import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStreamBody, type Sink } from '../../src/stream/sink.ts';
import { createSubscribers, type Subscriber } from '../../src/stream/subscribers.ts';
import { takeOver } from '../../src/stream/take-over.ts';
import { NONEXISTENT } from '../support/client.ts';
import { waitWithoutClock } from '../support/clock.ts';
import { listen } from '../support/loopback.ts';
import { eventually } from '../support/streams.ts';

const MAX_BACKLOG_BYTES = 64 * 1024;

test('a stream with more than 64 KiB of backlog is cut', async () => {
  const subscribers = createSubscribers();
  const written: number[] = [];
  let backlog = 0;
  let isCut = false;
  const sink: Sink = {
    backlog: () => backlog,
    write: (bytes) => written.push(bytes.length),
    end: () => {},
    cut: () => {
      isCut = true;
    },
  };
  const subscriber = {
    userId: NONEXISTENT.id,
    sessionId: NONEXISTENT.id,
    endsAt: Number.POSITIVE_INFINITY,
    sink,
  };
  subscribers.add(subscriber);
  backlog = MAX_BACKLOG_BYTES;
  subscribers.send(subscriber, new Uint8Array(300));
  expect([written, isCut, subscribers.count]).toEqual([[300], false, 1]);
  backlog = MAX_BACKLOG_BYTES + 1;
  subscribers.send(subscriber, new Uint8Array(300));
  expect([written, isCut, subscribers.count]).toEqual([[300], true, 0]);
});

test('the backlog of a body counts its unread bytes', async () => {
  let sink: Sink | undefined;
  const reader = createStreamBody((given) => {
    sink = given;
    return () => {};
  }).getReader();
  for (const _ of [1, 2, 3]) sink?.write(new Uint8Array(1_000));
  expect(sink?.backlog()).toBe(3_000);
  await reader.read();
  expect(sink?.backlog()).toBe(2_000);
  sink?.cut();
  await expect(reader.read()).rejects.toThrow();
});

/** Starts a server whose every answer is a stream, with connections whose clients read or do not. */
async function aServerOfStreams(...areReading: boolean[]) {
  const subscribers = createSubscribers();
  const taken: Subscriber[] = [];
  const server = createServer((_, response) =>
    takeOver(response, {}, (sink) => {
      const subscriber = {
        userId: NONEXISTENT.id,
        sessionId: NONEXISTENT.id,
        endsAt: Number.POSITIVE_INFINITY,
        sink,
      };
      taken.push(subscriber);
      return subscribers.add(subscriber);
    }),
  );
  const port = await listen(server);
  const clients: Socket[] = [];
  for (const isReading of areReading) {
    const client = connect(port, '127.0.0.1').on('error', () => {});
    client.write('GET / HTTP/1.1\r\nHost: opine\r\n\r\n');
    clients.push(isReading ? client.resume() : client.pause());
    await eventually(() => subscribers.count).toBe(clients.length);
  }
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  const getConnections = promisify(server.getConnections.bind(server));
  return { subscribers, taken, connections: () => getConnections() };
}

test('a client that stops reading is cut off, and a client that reads is not', async () => {
  const { subscribers, taken, connections } = await aServerOfStreams(true, false);
  const [reads] = taken;
  const piece = new Uint8Array(16 * 1024);
  // The kernel buffers some megabytes before writes block.
  for (let sent = 0; subscribers.count === 2 && sent < 100 * 1024 * 1024; sent += piece.length) {
    for (const subscriber of taken) subscribers.send(subscriber, piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([...subscribers.all()]).toEqual([reads]);
  await eventually(connections).toBe(1);
});

test('an ended stream whose client reads nothing is closed after two seconds, and one that is read at once', async () => {
  const { subscribers, taken, connections } = await aServerOfStreams(true, false);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const subscriber of taken) subscribers.finish(subscriber);
  await waitWithoutClock(async () => (await connections()) === 1);
  vi.advanceTimersByTime(1_900);
  expect(await connections()).toBe(1);
  vi.advanceTimersByTime(100);
  await eventually(connections).toBe(0);
});
