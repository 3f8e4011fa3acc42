import net, { type Socket } from 'node:net';
import { answerParent, fail } from '../processes.ts';

// autocannon ends a request at the end of its answer, and a stream has none.

/** What the clients do: open one stream for each token, count comments, or close all streams. */
export type Order =
  | { readonly what: 'open'; readonly port: number; readonly tokens: readonly string[] }
  | { readonly what: 'count comments' | 'close' };

/** Connections that are opened at once. */
const AT_ONCE = 32;

const READY = 'event: ready';
const COMMENT = ': here\n\n';
const sockets = new Set<Socket>();
let comments = 0;
let isClosing = false;

function requestOf(token: string): string {
  // The headers of a phone: a server that keeps requests keeps their memory too.
  const lines = [
    'GET /api/v1/notifications/stream HTTP/1.1',
    'host: 127.0.0.1',
    'accept: text/event-stream',
    'accept-encoding: gzip, deflate, br',
    'accept-language: en-GB,en;q=0.9',
    'cache-control: no-cache',
    'user-agent: Opine/1.4.2 (com.example.opine; build:220; iOS 18.1.0) Alamofire/5.9.1',
    `authorization: Bearer ${token}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function open(port: number, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(requestOf(token)));
    sockets.add(socket);
    let head = '';
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (text.includes(COMMENT)) comments += 1;
      if (head.includes(READY)) return;
      head += text;
      if (!head.startsWith('HTTP/1.1 200 ')) reject(new Error(head));
      if (head.includes(READY)) resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => {
      sockets.delete(socket);
      if (!isClosing) fail(new Error('the server ended a stream'));
    });
  });
}

async function openAll(port: number, tokens: readonly string[]): Promise<void> {
  isClosing = false;
  const queue = tokens.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const token of queue) await open(port, token);
    }),
  );
}

async function close(): Promise<void> {
  isClosing = true;
  const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
}

answerParent<Order>(async (order) => {
  if (order.what === 'open') await openAll(order.port, order.tokens);
  if (order.what === 'close') await close();
  const counted = comments;
  comments = 0;
  return counted;
});
