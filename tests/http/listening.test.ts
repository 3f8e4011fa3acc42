import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type OpenPort } from '../../src/listen.ts';
import { openSocket, type RawSocket } from '../support/raw-http.ts';

// Below the grace period after which a stopping server cuts connections.
const SOON_MS = 2_900;

interface Gate {
  readonly listener: OpenPort;
  /** The pending requests by path; call one to send its response. */
  readonly waiting: Map<string, () => void>;
  connect(): Promise<RawSocket>;
  /** Waits until a request for each of these paths is pending. */
  waitFor(...paths: string[]): Promise<void>;
}

/** Starts a server that responds to each request when the test releases it. */
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
    waitFor: async (...paths) => {
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
  'a connection without a request does not delay the stop of the server',
  async () => {
    const { port, close } = await listen(() => new Response('here'), '127.0.0.1', 0);
    const inAdvance = connect(port, '127.0.0.1');
    await once(inAdvance, 'connect');
    // This connection opens later, so its response proves that the server has accepted both.
    expect(await fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text())).toBe('here');

    await Promise.all([close(), once(inAdvance, 'close')]);
  },
  SOON_MS,
);

test(
  'a stopping server responds to requests in flight and closes their connections',
  async () => {
    const { listener, waiting, connect, waitFor } = await aGate();
    const clients = await Promise.all([connect(), connect()]);
    clients.forEach(({ write }, n) => {
      write(get(`/${n}`));
    });
    await waitFor('/0', '/1');
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
  'a stopping server responds to a request that arrives on an idle connection',
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
  'a stopping server closes idle connections cleanly and refuses new ones',
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
  'a stopping server responds to pipelined requests that complete %s, each with Connection: close',
  { timeout: SOON_MS },
  async ([, order]) => {
    const { listener, waiting, connect, waitFor } = await aGate();
    const client = await connect();
    client.write(get('/1') + get('/2') + get('/3'));
    await waitFor('/1', '/2', '/3');
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

test('a request of HTTP/1.0 needs no Host', { timeout: SOON_MS }, async () => {
  const { connect } = await aGate();
  const client = await connect();
  client.write('GET /at-once HTTP/1.0\r\n\r\n');
  expect((await client.answer()).message).toBe('/at-once');
});

test('invalid bytes after a request do not cut off its response', { timeout: SOON_MS }, async () => {
  const { waiting, connect, waitFor } = await aGate();
  const client = await connect();
  client.write(`${get('/1')}NONSENSE\r\n\r\n`);
  await waitFor('/1');
  waiting.get('/1')?.();
  expect(await client.answer()).toMatchObject({ status: 200, message: '/1' });
  expect(await client.ended()).toBe('');
});
