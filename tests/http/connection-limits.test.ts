import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ListenOptions, listen, type OpenPort, type Serve } from '../../src/listen.ts';
import { waitWithoutClock } from '../support/clock.ts';
import { isForgotten } from '../support/memory.ts';
import { openSocket, type RawSocket } from '../support/raw-http.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n';
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const envelope = () =>
  Response.json({ success: true, message: 'read', data: {} }, { headers: { 'X-Request-Id': 'of-a-test' } });

/** Starts a listener and returns a connection to it. */
async function aConnection(
  serve: Serve,
  options?: ListenOptions,
): Promise<{ listener: OpenPort; client: RawSocket }> {
  const listener = await listen(serve, '127.0.0.1', 0, options);
  const client = await openSocket(`http://127.0.0.1:${listener.port}`);
  onTestFinished(async () => {
    client.socket.destroy();
    vi.useRealTimers();
    await listener.close();
  });
  return { listener, client };
}

test('a connection without a whole head is refused two seconds after the time of an idle one', async () => {
  const { listener } = await aConnection(envelope, { keepAliveMs: 1 });
  const refused = ['', 'GET / HTTP/1.1\r\nHost:'].map(async (start) => {
    const client = await openSocket(`http://127.0.0.1:${listener.port}`);
    const began = performance.now();
    client.write(start);
    const { status } = await client.answer();
    return [status, performance.now() - began > 1_900];
  });
  expect(await Promise.all(refused)).toEqual(Array(2).fill([408, true]));
});

test('a closed connection is forgotten', async () => {
  let socket: WeakRef<Socket> | undefined;
  const { client } = await aConnection((_, { incoming }) => {
    socket = new WeakRef(incoming.socket);
    return envelope();
  });
  client.write(GET);
  await client.answer();
  client.socket.destroy();
  expect(socket && (await isForgotten(socket))).toBe(true);
});

describe('the limits of a connection by the clock', () => {
  // The timers of node:http itself are others.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });

  /** Returns whether the connection has ended, as its client sees it. */
  function endOf({ socket }: RawSocket): () => boolean {
    let hasEnded = false;
    for (const event of ['end', 'close', 'error']) {
      socket.once(event, () => {
        hasEnded = true;
      });
    }
    return () => hasEnded;
  }

  const turns = async () => {
    for (let times = 0; times < 20; times += 1) await new Promise(setImmediate);
  };

  /** Waits while the timers of @hono/node-server go on, which pass within a millisecond. */
  const passing = (isDone: () => boolean) =>
    waitWithoutClock(() => {
      vi.advanceTimersByTime(0);
      return isDone();
    });

  /** Sends a request whose answer comes before its body. */
  async function refuse(client: RawSocket): Promise<void> {
    client.write(`${HEAD}b`);
    const answer = client.answer();
    let isAnswered = false;
    void answer.then(() => {
      isAnswered = true;
    });
    await passing(() => isAnswered);
  }

  /** Expects that so many timers are left when those of @hono/node-server are over, which take a second. */
  async function expectTimers(count: number): Promise<void> {
    for (let times = 0; times < 4; times += 1) {
      await turns();
      vi.advanceTimersByTime(250);
    }
    await turns();
    expect(vi.getTimerCount()).toBe(count);
  }

  test('a body may take a minute, and leaves no timer behind', async () => {
    const arrivals: string[] = [];
    const { client } = await aConnection(async (request) => {
      arrivals.push(request.method);
      await request.text().catch(() => '');
      return envelope();
    });
    const timers = vi.getTimerCount();
    client.write(`${HEAD}body`);
    expect((await client.answer()).status).toBe(200);
    await waitWithoutClock(() => vi.getTimerCount() === timers);
    client.write(`${HEAD}bod`);
    await waitWithoutClock(() => arrivals.length === 2);
    const answer = client.answer();
    vi.advanceTimersByTime(59_999);
    await turns();
    vi.advanceTimersByTime(1);
    expect(await answer).toMatchObject({ status: 408 });
  });

  test('a client may take no byte of its answer for half a minute', async () => {
    const { client: idle, listener } = await aConnection(
      () => new Response(new Uint8Array(32 * 1024 * 1024)),
    );
    const client = await openSocket(`http://127.0.0.1:${listener.port}`);
    onTestFinished(() => void client.socket.destroy());
    const hasEnded = endOf(client);
    const hasIdleEnded = endOf(idle);
    client.socket.pause();
    client.write(GET);
    // The buffers of both ends are full.
    let buffered = -1;
    await waitWithoutClock(async () => {
      await turns();
      const isFull = buffered === client.socket.bytesRead;
      buffered = client.socket.bytesRead;
      return isFull;
    });
    // A client that does not read hears of the end when it writes. What it writes is no sign that it reads.
    const hears = () => {
      client.write('G');
      return hasEnded();
    };
    vi.advanceTimersByTime(30_000);
    hears();
    await turns();
    expect(hasEnded()).toBe(false);
    vi.advanceTimersByTime(3_000);
    await waitWithoutClock(hears);
    expect(hasIdleEnded()).toBe(false);
  });

  test('a refused client may pause for ten seconds in its body', async () => {
    const { client } = await aConnection(envelope);
    const hasEnded = endOf(client);
    await refuse(client);
    for (const byte of ['o', 'd']) {
      vi.advanceTimersByTime(9_990);
      await turns();
      client.write(byte);
      await turns();
      expect(hasEnded()).toBe(false);
    }
    vi.advanceTimersByTime(10_000);
    await passing(hasEnded);
  });

  test('a refused client that goes within its body leaves no timer behind', async () => {
    const { client } = await aConnection(envelope);
    const timers = vi.getTimerCount();
    await refuse(client);
    client.socket.destroy();
    await expectTimers(timers);
  });

  test('a refused client that does not close its connection is disconnected after five seconds', async () => {
    const { listener } = await aConnection(envelope);
    const socket: Socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write('NONSENSE\r\n\r\n');
    await once(socket.resume(), 'end');
    let isBroken = false;
    socket.once('error', () => {
      isBroken = true;
    });
    vi.advanceTimersByTime(4_999);
    socket.write('x');
    await turns();
    expect(isBroken).toBe(false);
    vi.advanceTimersByTime(1);
    await waitWithoutClock(() => {
      socket.write('x');
      return isBroken;
    });
  });

  test('a stopping server closes the connection of a request without an answer after three seconds', async () => {
    let hasArrived = false;
    const { listener, client } = await aConnection(() => {
      hasArrived = true;
      return new Promise(() => {});
    });
    const hasEnded = endOf(client);
    client.write(GET);
    await waitWithoutClock(() => hasArrived);
    const closed = listener.close();
    vi.advanceTimersByTime(2_999);
    await turns();
    expect(hasEnded()).toBe(false);
    vi.advanceTimersByTime(1);
    await closed;
    await waitWithoutClock(hasEnded);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a stopping server closes idle connections, and those without a byte, after 200 milliseconds', async () => {
    const { listener, client } = await aConnection(envelope);
    client.write(GET);
    await client.answer();
    const silent = await openSocket(`http://127.0.0.1:${listener.port}`);
    // A request on a later connection proves that the server has accepted the silent one.
    const later = await openSocket(`http://127.0.0.1:${listener.port}`);
    later.write(GET);
    await later.answer();
    const ends = [client, silent, later].map(endOf);
    const closed = listener.close();
    vi.advanceTimersByTime(199);
    await turns();
    expect(ends.map((hasEnded) => hasEnded())).toEqual([false, false, false]);
    vi.advanceTimersByTime(1);
    await closed;
  });
});
