import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Reply, readReply } from './reply.ts';

/** A connection on which a test writes HTTP by hand. */
export interface RawSocket {
  readonly socket: Socket;
  write(text: string | Uint8Array): void;
  /** The next answer. @throws Error where the connection ends before it */
  answer(): Promise<Reply>;
  /** What has come and was not read as an answer, when the server has ended the connection. */
  ended(): Promise<string>;
}

/** Connects to a server. The connection is the caller's to end. */
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

  /** Takes one answer, whose length is told, from what was received. */
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

/** The text of a request. */
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

/** Sends one request on a connection of its own. */
export async function exchange(url: string, text: string): Promise<Reply> {
  const { socket, write, answer } = await openSocket(url);
  try {
    write(text);
    return await answer();
  } finally {
    socket.destroy();
  }
}
