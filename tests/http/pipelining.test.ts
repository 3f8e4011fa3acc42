import { connect } from 'node:net';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { listen, type OpenPort, type Serve } from '../../src/listen.ts';
import { openSocket } from '../support/raw-http.ts';

const MAX_IN_PROGRESS = 16;

async function aListener(serve: Serve, options: Parameters<typeof listen>[3] = {}): Promise<OpenPort> {
  const listener = await listen(serve, '127.0.0.1', 0, options);
  onTestFinished(() => listener.close());
  return listener;
}

const connectTo = ({ port }: OpenPort) => openSocket(`http://127.0.0.1:${port}`);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const envelope = (message: string) =>
  Response.json({ success: true, message, data: {} }, { headers: { 'X-Request-Id': 'of-a-test' } });

// docs/product.md R11
test('a connection has at most 16 pipelined requests in progress, and reads the next one when one is answered', async () => {
  const waiting = new Map<string, () => void>();
  const listener = await aListener(async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname !== '/other') await new Promise<void>((resolve) => waiting.set(pathname, resolve));
    return envelope(pathname);
  });
  // The answer of another connection comes when the server has done with what it has read.
  const settle = async () => {
    for (let times = 0; times < 3; times += 1) {
      await fetch(`http://127.0.0.1:${listener.port}/other`).then((answer) => answer.text());
    }
  };
  const client = await connectTo(listener);
  const paths = Array.from({ length: 200 }, (_, n) => `/${n + 1}`);
  client.write(paths.map(get).join(''));
  await settle();
  for (const [done, path] of paths.entries()) {
    expect(waiting.size).toBe(Math.min(done + MAX_IN_PROGRESS, paths.length));
    waiting.get(path)?.();
    expect((await client.answer()).message).toBe(path);
    await settle();
  }
});

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const BODIES = [
  '',
  'a body',
  '\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  '\r\n'.repeat(300),
  'x'.repeat(9000),
];

/** Pipelined requests with and without bodies, some of which look like the end of a head. */
const MIXED = Array.from({ length: 120 }, (_, n): [text: string, body: string] => {
  const body = BODIES[n % BODIES.length] ?? '';
  const head = `POST /${n} HTTP/1.1\r\nHost: a\r\n`;
  if (n % 3 === 0) return [get(`/${n}`), ''];
  if (n % 3 === 1) return [`${head}Content-Length: ${body.length}\r\n\r\n${body}`, body];
  return [`${head}Transfer-Encoding: chunked\r\n\r\n${body === '' ? '0\r\n\r\n' : chunked(body)}`, body];
});

test.each([
  ['at once', [1_000_000]],
  ['byte by byte', [1, 1, 1, 1, 997]],
  ['in pieces that end anywhere', [3, 17, 5, 64, 2, 1021]],
])(
  'pipelined requests with bodies, sent %s, are answered in order, each with its own body',
  async (_, sizes) => {
    let inProgress = 0;
    let most = 0;
    const listener = await aListener(async (request) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      const body = request.method === 'POST' ? await request.text() : '';
      await turn();
      inProgress -= 1;
      return envelope(`${new URL(request.url).pathname} ${body}`);
    });
    const client = await connectTo(listener);
    client.socket.setNoDelay(true);
    const bytes = Buffer.from(MIXED.map(([text]) => text).join(''));
    const sending = (async () => {
      for (let at = 0, n = 0; at < bytes.length; n += 1) {
        const end = at + (sizes[n % sizes.length] ?? 1);
        await new Promise((resolve) => client.socket.write(bytes.subarray(at, end), resolve));
        at = end;
      }
    })();
    for (const [n, [, body]] of MIXED.entries()) {
      expect((await client.answer()).message).toBe(`/${n} ${body}`);
    }
    await sending;
    expect(most).toBeLessThanOrEqual(MAX_IN_PROGRESS);
  },
);

test('a client that pipelines 300 requests and reads their large answers late gets all of them, in order', async () => {
  const padding = 'x'.repeat(100_000);
  const listener = await aListener(async ({ url }) => {
    await turn();
    return envelope(new URL(url).pathname + padding);
  });
  const client = await connectTo(listener);
  client.socket.pause();
  const paths = Array.from({ length: 300 }, (_, n) => `/${n}`);
  client.write(paths.map(get).join(''));
  for (let times = 0; times < 50; times += 1) await turn();
  client.socket.resume();
  for (const path of paths) expect((await client.answer()).message).toBe(path + padding);
});

/** More than the system's buffers of both ends of a connection. */
const LARGE = new Uint8Array(32 * 1024 * 1024);

// docs/product.md R11
test('a client that takes no byte of its answer is disconnected', async () => {
  const { port } = await aListener(() => new Response(LARGE), { stallMs: 500 });
  const socket = connect(port, '127.0.0.1').pause();
  const closed = new Promise((resolve) => socket.once('error', resolve).once('close', resolve));
  socket.write(get('/'));
  // A byte of the next request is no sign that the client reads.
  const sending = setInterval(() => socket.write('G'), 50);
  await closed;
  clearInterval(sending);
});

test('a client that reads its answer slowly, and one that waits for it for long, stay connected', async () => {
  let answer = () => {};
  const listener = await aListener(
    async ({ url }) => {
      if (new URL(url).pathname === '/slow') return new Response(LARGE);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return envelope('late');
    },
    { stallMs: 1_000 },
  );
  const waiting = await connectTo(listener);
  waiting.write(get('/late'));
  const reading = connect(listener.port, '127.0.0.1');
  reading.write(get('/slow'));
  let size = 0;
  for await (const bytes of reading) {
    size += bytes.length;
    if (size >= LARGE.length) break;
    await pause(4);
  }
  expect(size).toBeGreaterThanOrEqual(LARGE.length);
  answer();
  expect((await waiting.answer()).message).toBe('late');
});

// docs/product.md W20, R11
test('a body that does not arrive in time is refused with 408, and one that does is read', async () => {
  const listener = await aListener(
    async (request) => envelope(`read ${await request.text().catch(() => '')}`),
    {
      bodyMs: 600,
    },
  );
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n';
  const inTime = await connectTo(listener);
  const late = await connectTo(listener);
  late.write(`${head}bod`);
  inTime.write(`${head}bo`);
  inTime.write('dy');
  expect((await inTime.answer()).message).toBe('read body');
  expect(await late.answer()).toMatchObject({ status: 408, error: { code: 'VALIDATION_FAILED' } });
  // The limit is over for a request that has ended.
  inTime.write(get('/'));
  expect((await inTime.answer()).status).toBe(200);
});
