import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Listener, listen } from '../../src/listen.ts';
import { openSocket, type RawSocket } from '../support/raw-socket.ts';

// Less than it takes until a stopping server cuts connections.
const SOON_MS = 2_900;

interface Gate {
  readonly listener: Listener;
  /** The requests that wait for an answer, by their path. */
  readonly waiting: Map<string, () => void>;
  connect(): Promise<RawSocket>;
  /** Resolves when a request for each of these paths waits. */
  hold(...paths: string[]): Promise<void>;
}

/** A server that answers each request when the test says so. */
async function aGate(): Promise<Gate> {
  const waiting = new Map<string, () => void>();
  let arrived = () => {};
  const listener = await listen(
    async ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname !== '/at-once') {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.set(pathname, resolve);
        arrived();
        await promise;
      }
      const envelope = { success: true, message: pathname, data: {} };
      return Response.json(envelope, { headers: { 'X-Request-Id': 'of-a-gate' } });
    },
    '127.0.0.1',
    0,
  );
  onTestFinished(() => {
    for (const answer of waiting.values()) answer();
    return listener.close();
  });
  return {
    listener,
    waiting,
    connect: () => openSocket(`http://127.0.0.1:${listener.port}`),
    hold: async (...paths) => {
      while (!paths.every((path) => waiting.has(path))) {
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gate\r\n\r\n`;

test(
  'a connection on which nobody has asked for anything does not keep the server',
  async () => {
    const { port, close } = await listen(() => new Response('here'), '127.0.0.1', 0);
    const inAdvance = connect(port, '127.0.0.1');
    await once(inAdvance, 'connect');
    // Opened after it: when this one is answered, the server knows of both.
    expect(await fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text())).toBe('here');

    await Promise.all([close(), once(inAdvance, 'close')]);
  },
  SOON_MS,
);

test(
  'a stopping server answers the requests under way and closes their connections',
  async () => {
    const { listener, waiting, connect, hold } = await aGate();
    const clients = await Promise.all([connect(), connect()]);
    clients.forEach(({ write }, n) => {
      write(get(`/${n}`));
    });
    await hold('/0', '/1');
    const closed = listener.close();
    for (const answer of waiting.values()) answer();
    for (const [n, client] of clients.entries()) {
      const { message, headers } = await client.answer();
      expect([message, headers.get('connection')]).toEqual([`/${n}`, 'close']);
      expect(await client.ended()).toBe('');
    }
    await closed;
  },
  SOON_MS,
);

test(
  'a stopping server answers a request that arrives on an idle connection',
  async () => {
    const { listener, connect } = await aGate();
    const client = await connect();
    client.write(get('/at-once'));
    expect((await client.answer()).headers.get('connection')).toBe('keep-alive');
    const closed = listener.close();
    client.write(get('/at-once'));
    expect((await client.answer()).headers.get('connection')).toBe('close');
    expect(await client.ended()).toBe('');
    await closed;
  },
  SOON_MS,
);

test(
  'a stopping server ends idle connections without an error and refuses new ones',
  async () => {
    const { listener, connect } = await aGate();
    const client = await connect();
    client.write(get('/at-once'));
    await client.answer();
    const closed = listener.close();
    await expect(connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await client.ended()).toBe('');
    await closed;
  },
  SOON_MS,
);

test.for([
  ['in order', ['/1', '/2', '/3']],
  ['in reverse order', ['/3', '/2', '/1']],
] as const)(
  'a stopping server answers pipelined requests that are done %s, each with Connection: close',
  { timeout: SOON_MS },
  async ([, order]) => {
    const { listener, waiting, connect, hold } = await aGate();
    const client = await connect();
    client.write(get('/1') + get('/2') + get('/3'));
    await hold('/1', '/2', '/3');
    const closed = listener.close();
    for (const path of order) waiting.get(path)?.();
    for (const path of ['/1', '/2', '/3']) {
      const { message, headers } = await client.answer();
      expect([message, headers.get('connection')]).toEqual([path, 'close']);
    }
    expect(await client.ended()).toBe('');
    await closed;
  },
);

test('what follows a request and is no HTTP does not cut its answer off', { timeout: SOON_MS }, async () => {
  const { waiting, connect, hold } = await aGate();
  const client = await connect();
  client.write(`${get('/1')}NONSENSE\r\n\r\n`);
  await hold('/1');
  waiting.get('/1')?.();
  expect(await client.answer()).toMatchObject({ status: 200, message: '/1' });
  expect(await client.ended()).toBe('');
});
