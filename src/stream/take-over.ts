import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Sink, Subscribe } from './sink.ts';

const HTTP_EVENTS = ['close', 'data', 'drain', 'end', 'error', 'pause', 'resume', 'timeout'];
const LAST_BYTES_MS = 2_000;

/** Responses whose sockets belong to streams. */
const takenOver = new WeakSet<ServerResponse>();

/** Whether a stream answers in place of node:http. */
export function isTakenOver(response: ServerResponse): boolean {
  return takenOver.has(response);
}

/**
 * Sends the head, detaches the socket from node:http and subscribes it. A stream on node:http (parser, two
 * messages, listeners) takes four times the memory of a bare socket with its subscriber (docs/benchmarks.md, "streams").
 * @returns false if the client is gone
 */
export async function takeOver(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  subscribe: Subscribe,
): Promise<boolean> {
  takenOver.add(response);
  const { req } = response;
  const { socket } = req;
  if (response.socket === null && !socket.destroyed) await waitForEarlierResponses(response);
  if (socket.destroyed) return false;
  // The end of the connection ends the body, so the bytes need no chunked encoding.
  response.removeHeader('Transfer-Encoding');
  response.writeHead(200, { ...headers, Connection: 'close' });
  response.flushHeaders();
  // node:http aborts a request that was not read to its end, together with its socket.
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
  // node:http frees its parser and messages when the socket closes.
  socket.emit('close', false);
  for (const event of HTTP_EVENTS) socket.removeAllListeners(event);
  socket.setTimeout(0);
  socket.on('error', ignore).on('end', destroy).resume();
  socket.once('close', subscribe(new SocketSink(socket)));
  return true;
}

/** Resolves when earlier pipelined requests are answered, or the connection is gone. */
function waitForEarlierResponses(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('socket', () => resolve());
  response.req.socket.once('close', () => resolve());
  return promise;
}

function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy();
}

// A class: four closures would cost a hundred bytes more per stream.
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
    // A client that does not read would keep it open for ever.
    setTimeout(destroy.bind(this.#socket), LAST_BYTES_MS).unref();
  }

  cut(): void {
    this.#socket.destroy();
  }
}
