import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Reply, readReply } from './client.ts';

/** A connection for hand-written HTTP. */
export interface RawSocket {
  readonly socket: Socket;
  write(text: string | Uint8Array): void;
  /**
   * Reads the next reply.
   * @throws Error if the connection ends before it
   */
  answer(): Promise<Reply>;
  /** Waits for the end of the connection. Returns unread bytes. */
  ended(): Promise<string>;
}

/** Opens a connection; the caller ends it. */
export async function openSocket(url: string): Promise<RawSocket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let hasEnded = false;
  let failure: Error | undefined;
  let wake = () => {};
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  socket.on('error', (error) => {
    failure = error;
  });
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      hasEnded = true;
      wake();
    });
  }
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  /** Takes one reply with a content length from the received bytes. */
  function take(): Response | undefined {
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString().split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1).trim()];
      }),
    );
    const end = headEnd + 4 + Number(headers.get('content-length') ?? 0);
    if (received.length < end) return undefined;
    const body = received.subarray(headEnd + 4, end);
    received = received.subarray(end);
    return new Response(body, { status: Number(statusLine.split(' ')[1]), headers });
  }

  return {
    socket,
    write: (text) => socket.write(text),
    answer: async () => {
      for (;;) {
        const response = take();
        if (response !== undefined) return readReply(response);
        if (hasEnded) throw new Error(`The connection ended without an answer: ${failure ?? received}`);
        await more();
      }
    },
    ended: async () => {
      while (!hasEnded) await more();
      if (failure !== undefined) throw failure;
      return received.toString();
    },
  };
}

export function requestText(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
  body = '',
): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} /api/v1${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends one request on its own connection. */
export async function exchange(url: string, text: string): Promise<Reply> {
  const { socket, write, answer } = await openSocket(url);
  try {
    write(text);
    return await answer();
  } finally {
    socket.destroy();
  }
}

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * Posts `size` bytes in chunks, without a content length, while the server accepts them.
 * @throws Error if the server closes the connection without a reply
 */
export function postChunked(url: string, path: string, size: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const outgoing = request(`${url}/api/v1${path}`, { method: 'POST', headers });
    let isAnswered = false;
    outgoing.on('response', (incoming) => {
      isAnswered = true;
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece));
      incoming.on('end', () => {
        outgoing.destroy();
        const { statusCode = 0, rawHeaders } = incoming;
        const body = Buffer.concat(pieces);
        resolve(readReply(new Response(body, { status: statusCode, headers: pairsOf(rawHeaders) })));
      });
    });
    // A server that has refused the body may close before its end.
    outgoing.on('error', (error) => !isAnswered && reject(error));
    send(0);

    function send(sent: number): void {
      if (sent >= size) outgoing.end();
      else if (!isAnswered) outgoing.write(CHUNK, () => send(sent + CHUNK.length));
    }
  });
}

function pairsOf(rawHeaders: string[]): [string, string][] {
  return rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as [string, string]] : [],
  );
}
