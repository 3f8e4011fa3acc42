import { createServer, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { answerBeforeBody } from './early-answer.ts';
import { type Refusal, refusalOf } from './http/answer.ts';
import { isTakenOver } from './stream/take-over.ts';

/**
 * How long idle connections stay open while the server stops. A close can always cross a request, so this only outlasts the
 * pause between two requests of a busy client.
 */
const GRACE_MS = 200;
/** When a stopping server closes the remaining connections. */
const CUT_MS = 3_000;
/** How long a client may read a refusal. */
const LINGER_MS = 5_000;

/** An open port. */
export interface Listener {
  readonly port: number;
  /**
   * Accepts no new connection and answers requests on the others with `Connection: close`. Resolves when all connections have
   * ended, after 3 seconds at most.
   */
  close(): Promise<void>;
}

/** A web app that also receives Node's request and response. */
export type Serve = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** A response with a private flag of Node: Node destroys the connection after the last response. */
type MarkedResponse = ServerResponse & { _last?: boolean };

/**
 * Listens for HTTP/1.1.
 * @param onRefusal called for each request refused before `serve`
 * @throws the error of `listen` if the address is not available
 */
export async function listen(
  serve: Serve,
  hostname: string,
  port: number,
  onRefusal: (refusal: Refusal) => void = () => {},
): Promise<Listener> {
  /** The open responses of each connection: several if requests were pipelined. */
  const connections = new Map<Socket, MarkedResponse[]>();
  let isStopping = false;

  const server = createServer(
    // Node would answer 400 without the error envelope.
    { requireHostHeader: false },
    getRequestListener(
      async (request, env) => {
        const { incoming, outgoing } = env as HttpBindings;
        if (incoming.headers.host === undefined && incoming.httpVersion !== '1.0') {
          throw new RequestError('Host is missing');
        }
        const response = await serve(request, { incoming, outgoing });
        // Hono copies an answer that middleware adds headers to, and @hono/node-server would write the copy of the mark.
        if (isTakenOver(outgoing)) return RESPONSE_ALREADY_SENT;
        return answerBeforeBody(response, incoming, outgoing);
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

  /** Announces that the connection closes after a response. Pipelined responses after it still go out, unlike in Node. */
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
    const responses = connections.get(socket);
    responses?.push(response);
    response.once('close', () => responses?.splice(responses.indexOf(response), 1));
    if (isStopping) announceClose(response);
  });
  // Node would answer 417; a server may ignore expectations.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The client has its answer and may still send.
    if (socket.writableEnded) return;
    const responses = connections.get(socket) ?? [];
    const [current] = responses;
    if (current?.req.complete && !current.headersSent) {
      // The error follows a request that still waits for its answer.
      responses.forEach(announceClose);
    } else if (error.code === 'ECONNRESET' || current?.headersSent) {
      socket.destroySoon();
    } else {
      socket.end(serialize(refuse(error.code)));
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    }
  });

  /** Closes idle connections, and those that have sent no byte, which Node counts as busy. */
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
      // `close` of node:http would close idle connections at once, although requests may arrive on them.
      await new Promise((resolve) => Server.prototype.close.call(server, resolve));
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

function serialize({ status, headers, body }: Refusal): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': new TextEncoder().encode(body).byteLength,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
