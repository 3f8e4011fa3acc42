import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { openSocket, requestText } from '../support/raw-http.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const MEGABYTE = 1024 * 1024;
/** A request that waits for what others do takes many seconds. */
const SOON_MS = 2_000;

let opine: Opine;
let server: ServerProcess;
let sockets: Socket[] = [];

beforeAll(async () => {
  opine = await startOpine();
  server = await startServerProcess({ ...testEnvironment(opine.database), WEB_APP: 'true' });
});

afterEach(async () => {
  const closed = Promise.all(sockets.filter(({ closed }) => !closed).map((socket) => once(socket, 'close')));
  for (const socket of sockets) socket.destroy();
  await closed;
  sockets = [];
});

afterAll(async () => {
  const { code, stderr } = await server.end();
  await opine.stop();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

/** Opens a connection that reads nothing. */
async function openConnection(): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
  sockets.push(socket);
  await once(socket, 'connect');
  socket.on('error', () => {});
  return socket;
}

async function openConnections(count: number): Promise<Socket[]> {
  const opened: Socket[] = [];
  while (opened.length < count) {
    const batch = Array.from({ length: Math.min(250, count - opened.length) }, openConnection);
    opened.push(...(await Promise.all(batch)));
  }
  return opened;
}

/** Expects that the server answers others, each soon. */
async function expectOthersServed(times = 20): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    const before = performance.now();
    const answer = await fetch(`${server.url}${done % 2 === 0 ? '/healthz' : '/api/v1/posts'}`);
    await answer.text();
    expect(answer.status).toBe(200);
    expect(performance.now() - before).toBeLessThan(SOON_MS);
  }
}

const residentBytes = () =>
  1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]);
const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length;

// docs/product.md R11
describe.skipIf(!existsSync('/proc/self/fd'))(
  'a connection that pipelines 1,000 requests and reads nothing',
  () => {
    test.each(['/api/v1/openapi.json', '/docs', '/app.js', '/'])(
      'of %s leaves others served, memory free and files closed',
      async (path) => {
        const { length } = await fetch(server.url + path)
          .then((answer) => answer.arrayBuffer())
          .then(Buffer.from);
        expect(length).toBeGreaterThan(500);
        await expectOthersServed();
        const [memory, files] = [residentBytes(), openFiles()];
        const socket = await openConnection();
        socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(1000));
        let [mostMemory, mostFiles] = [0, 0];
        for (let looks = 0; looks < 20; looks += 1) {
          await expectOthersServed(2);
          mostMemory = Math.max(mostMemory, residentBytes());
          mostFiles = Math.max(mostFiles, openFiles());
        }
        expect((mostMemory - memory) / MEGABYTE).toBeLessThan(50);
        expect(mostFiles - files).toBeLessThan(20);
      },
    );
  },
);

test('400 clients that send a head or a body byte by byte leave others served, and get their answers', async () => {
  const body = '{"phoneNumber":"x"}';
  const head = requestText('GET', '/auth/login-config');
  const texts = [
    head,
    requestText(
      'POST',
      '/auth/otp/request',
      { 'Content-Type': 'application/json', 'Content-Length': body.length },
      body,
    ),
  ];
  const clients = await Promise.all(
    Array.from({ length: 400 }, async (_, n) => {
      const client = await openSocket(server.url);
      sockets.push(client.socket);
      const text = texts[n % 2] ?? '';
      return { client, start: text.slice(0, -6), end: text.slice(-6), status: n % 2 === 0 ? 200 : 422 };
    }),
  );
  for (const { client, start } of clients) client.write(start);
  for (let sent = 0; sent < 6; sent += 1) {
    await expectOthersServed(2);
    for (const { client, end } of clients) client.write(end.slice(sent, sent + 1));
  }
  for (const { client, status } of clients) expect((await client.answer()).status).toBe(status);
});

test('5,000 idle connections leave others served, and none is closed', async () => {
  const limit = /Max open files\s+\d+\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024;
  const idle = await openConnections(Math.min(5_000, Number(limit) - 500));
  await expectOthersServed();
  expect(idle.filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('a burst of 2,000 requests on as many connections is answered whole', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 2_000 }, async () => {
      const client = await openSocket(server.url);
      sockets.push(client.socket);
      client.write(requestText('GET', '/posts'));
      return (await client.answer()).status;
    }),
  );
  // A request that finds no database connection in five seconds is 503.
  expect([...new Set(statuses)].sort()).toEqual(statuses.includes(503) ? [200, 503] : [200]);
  await expectOthersServed();
});
