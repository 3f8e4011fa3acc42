import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Sink, Subscribe } from './sink.ts';

const HTTP_EVENTS = ['close', 'data', 'drain', 'end', 'error', 'pause', 'resume', 'timeout'];
const LAST_BYTES_MS = 2_000;

/**
 * Answers with this head, takes the connection away from node:http and subscribes it: a request under way keeps some
 * 12 KB there (a parser, two messages with their headers, listeners), a connection alone 3 KB (docs/benchmarks.md).
 * @returns whether the client was still there
 */
export async function takeOver(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  subscribe: Subscribe,
): Promise<boolean> {
  const { req } = response;
  const { socket } = req;
  if (response.socket === null && !socket.destroyed) await turnOf(response);
  if (socket.destroyed) return false;
  // The end of the connection ends the body, in HTTP/1.0 as well: what is written needs no frame around it.
  response.removeHeader('Transfer-Encoding');
  response.writeHead(200, { ...headers, Connection: 'close' });
  response.flushHeaders();
  // A request that is not read to its end counts as broken off, and would take the connection with it.
  if (!req.readableEnded) {
    const { promise, resolve } = Promise.withResolvers<void>();
    req
      .once('end', () => resolve())
      .once('close', () => resolve())
      .resume();
    await promise;
  }
  if (socket.destroyed) return false;
  response.detachSocket(socket);
  // As if the connection had gone: http lets go of its parser and its messages.
  socket.emit('close', false);
  for (const event of HTTP_EVENTS) socket.removeAllListeners(event);
  socket.setTimeout(0);
  socket.on('error', ignore).on('end', destroy).resume();
  socket.once('close', subscribe(new SocketSink(socket)));
  return true;
}

/** Resolves when what was asked for before on the same connection is answered, or the connection is gone. */
function turnOf(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('socket', () => resolve());
  response.req.socket.once('close', () => resolve());
  return promise;
}

function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy();
}

// A class, as four closures would be a hundred bytes more a stream.
class SocketSink implements Sink {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  backlog(): number {
    return this.#socket.writableLength;
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  end(): void {
    this.#socket.end();
    // Who does not read would keep it open for ever.
    setTimeout(destroy.bind(this.#socket), LAST_BYTES_MS).unref();
  }

  cut(): void {
    this.#socket.destroy();
  }
}
