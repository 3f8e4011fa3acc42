import { createServer, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { answerBeforeBody } from './early-answer.ts';
import { type Refusal, refusalOf } from './http/refusals.ts';

/**
 * How long an idle connection may still bring a request while the server stops. Closing it at any time can meet a request
 * on its way, so this only has to outlast the pause between two requests of a busy client.
 */
const GRACE_MS = 200;
/** When a stopping server cuts the connections that are left. */
const CUT_MS = 3_000;
/** How long a client has to read why its request was refused. */
const LINGER_MS = 5_000;

/** An address that is listened on. */
export interface Listener {
  readonly port: number;
  /**
   * Takes no new connection and answers what the others bring with `Connection: close`. Resolves when all have ended, which
   * takes 3 seconds at most.
   */
  close(): Promise<void>;
}

/** A web app that also gets Node's request and response. */
export type Serve = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** A response with Node's private mark: it is the last of its connection, which Node destroys behind it. */
type MarkedResponse = ServerResponse & { _last?: boolean };

/**
 * Listens for HTTP/1.1.
 * @param onRefusal called with each request that is refused before `serve` sees it
 * @throws the listener's error where the address cannot be had
 */
export async function listen(
  serve: Serve,
  hostname: string,
  port: number,
  onRefusal: (refusal: Refusal) => void = () => {},
): Promise<Listener> {
  /** The responses that each connection waits for: several where requests were pipelined. */
  const connections = new Map<Socket, MarkedResponse[]>();
  let isStopping = false;

  const server = createServer(
    // Node would answer 400 without the envelope.
    { requireHostHeader: false },
    getRequestListener(
      async (request, env) => {
        const { incoming, outgoing } = env as HttpBindings;
        if (incoming.headers.host === undefined && incoming.httpVersion !== '1.0') {
          throw new RequestError('Host is missing');
        }
        return answerBeforeBody(await serve(request, { incoming, outgoing }), incoming, outgoing);
      },
      {
        hostname,
        errorHandler: (error) => {
          if (!(error instanceof RequestError)) throw error;
          const { status, headers, body } = refuse();
          return new Response(body, { status, headers });
        },
      },
    ),
  );

  function refuse(code?: string): Refusal {
    const refusal = refusalOf(code);
    onRefusal(refusal);
    return refusal;
  }

  /** Has a response say that its connection closes behind it and, unlike Node, behind those that were pipelined after it. */
  function announceClose(response: MarkedResponse): void {
    response.shouldKeepAlive = false;
    response.prependOnceListener('finish', () => {
      const [, next] = connections.get(response.req.socket) ?? [];
      if (next !== undefined) response._last = false;
    });
  }

  server.on('connection', (socket: Socket) => {
    connections.set(socket, []);
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response: MarkedResponse) => {
    const waiting = connections.get(socket);
    waiting?.push(response);
    response.once('close', () => waiting?.splice(waiting.indexOf(response), 1));
    if (isStopping) announceClose(response);
  });
  // Node would answer 417; what is expected may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // It was told already, and may still be sending.
    if (socket.writableEnded) return;
    const waiting = connections.get(socket) ?? [];
    const [current] = waiting;
    if (current?.req.complete && !current.headersSent) {
      // What is wrong came after a request that is still to be answered.
      waiting.forEach(announceClose);
    } else if (error.code === 'ECONNRESET' || current?.headersSent) {
      socket.destroySoon();
    } else {
      socket.end(textOf(refuse(error.code)));
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    }
  });

  /** Ends the connections that wait for nothing, those of which Node takes the first request for late as well. */
  function endIdle(): void {
    server.closeIdleConnections();
    for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, hostname, resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      isStopping = true;
      for (const responses of connections.values()) responses.forEach(announceClose);
      const idle = setInterval(endIdle, GRACE_MS);
      const cut = setTimeout(() => server.closeAllConnections(), CUT_MS);
      // Of node:net, as that of node:http ends idle connections at once, on which requests may be arriving.
      await new Promise((resolve) => Server.prototype.close.call(server, resolve));
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

function textOf({ status, headers, body }: Refusal): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': new TextEncoder().encode(body).byteLength,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
