import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { answerBeforeBody, hasBody } from './early-answer.ts';
import { parserRefusal, type UnparsedAnswer } from './http/answer.ts';
import { readHeadByHead } from './pipelining.ts';
import { closeStalled } from './stalled-clients.ts';
import { isTakenOver } from './stream/take-over.ts';

/**
 * How long idle connections stay open while the server stops: longer than a busy client pauses between two requests. A request that
 * is sent at the moment of the close is lost in any case.
 */
const GRACE_MS = 200;
/** When a stopping server closes the remaining connections. */
const CUT_MS = 3_000;
/** How long a client may read a refusal. */
const LINGER_MS = 5_000;
/** The most requests of a connection that are in progress. The next ones stay unread. None begins while 64 KiB of answers wait, which is Node's limit. */
const MAX_IN_PROGRESS = 16;
/** How much longer than an idle connection the head of a request may take: a connection without a request counts as such a head. */
const HEAD_MARGIN_MS = 2_000;
/** How late Node notices a head that takes too long. */
const CHECK_MS = 1_000;

/** An open port. */
export interface OpenPort {
  readonly port: number;
  /**
   * Accepts no new connection and answers requests on the others with `Connection: close`. Resolves when all connections have
   * ended, after 3 seconds at most.
   */
  close(): Promise<void>;
}

/** A web app that also receives Node's request and response. */
export type Serve = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** Options of `listen`. */
export interface ListenOptions {
  /** Called for each request refused before `serve`. */
  readonly onRefusal?: (refusal: UnparsedAnswer) => void;
  /** How long an idle connection stays open. */
  readonly keepAliveMs?: number;
  /** How long the body of a request may take. */
  readonly bodyMs?: number;
  /** How long a client may take no byte of an answer that waits for it. */
  readonly stallMs?: number;
}

/** A response with a private flag of Node: Node destroys the connection after the last response. */
type MarkedResponse = ServerResponse & { _last?: boolean };

/** An open connection. */
interface Connection {
  /** The open responses: several if requests were pipelined. */
  readonly responses: MarkedResponse[];
  /** Reads the next pipelined request if there is room for it. */
  readOn(): void;
}

/**
 * Listens for HTTP/1.1. A connection keeps little of the process (docs/product.md R11).
 * @throws the error of `listen` if the address is not available
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share what it holds.
export async function listen(
  serve: Serve,
  hostname: string,
  port: number,
  { onRefusal = () => {}, keepAliveMs = 65_000, bodyMs = 60_000, stallMs = 30_000 }: ListenOptions = {},
): Promise<OpenPort> {
  const connections = new Map<Socket, Connection>();
  let isStopping = false;

  const server = createServer(
    {
      // Node would answer 400 without the error envelope.
      requireHostHeader: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: keepAliveMs + HEAD_MARGIN_MS,
      requestTimeout: keepAliveMs + HEAD_MARGIN_MS + bodyMs,
      connectionsCheckingInterval: CHECK_MS,
    },
    getRequestListener(
      async (request, env) => {
        const { incoming, outgoing } = env as HttpBindings;
        requireOneHost(incoming);
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

  function refuse(code?: string): UnparsedAnswer {
    const refusal = parserRefusal(code);
    onRefusal(refusal);
    return refusal;
  }

  /** Refuses a request whose body takes too long. Node has one limit for head and body together. */
  function limitBody(request: IncomingMessage): void {
    const refuseLate = () => {
      const error = Object.assign(new Error('The body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!request.complete) server.emit('clientError', error, request.socket);
    };
    const timer = setTimeout(refuseLate, bodyMs).unref();
    request.once('close', () => clearTimeout(timer));
  }

  /** Announces that the connection closes after a response. Pipelined responses after it still go out, unlike in Node. */
  function announceClose(response: MarkedResponse): void {
    response.shouldKeepAlive = false;
    response.prependOnceListener('finish', () => {
      const [, next] = connections.get(response.req.socket)?.responses ?? [];
      if (next !== undefined) response._last = false;
    });
  }

  server.on('connection', (socket: Socket) => {
    const responses: MarkedResponse[] = [];
    const readOn = readHeadByHead(socket, () => responses.length < MAX_IN_PROGRESS);
    connections.set(socket, { responses, readOn });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (request, response: MarkedResponse) => {
    const connection = connections.get(request.socket);
    connection?.responses.push(response);
    response.once('close', () => {
      connection?.responses.splice(connection.responses.indexOf(response), 1);
      connection?.readOn();
    });
    if (hasBody(request)) limitBody(request);
    if (isStopping) announceClose(response);
  });
  // Node would answer 417; a server may ignore expectations.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // The client has its answer and may still send.
    if (socket.writableEnded) return;
    const { responses = [] } = connections.get(socket) ?? {};
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
  const stalled = closeStalled(() => connections.keys(), stallMs);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      isStopping = true;
      for (const { responses } of connections.values()) responses.forEach(announceClose);
      const idle = setInterval(endIdle, GRACE_MS);
      const cut = setTimeout(() => server.closeAllConnections(), CUT_MS);
      // `close` of node:http would close idle connections at once, although requests may arrive on them.
      await new Promise((resolve) => Server.prototype.close.call(server, resolve));
      clearInterval(idle);
      clearTimeout(cut);
      stalled[Symbol.dispose]();
    },
  };
}

/** @throws RequestError unless a request has one `Host`; HTTP/1.0 needs none. Node would take the first of several. */
function requireOneHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length;
  if (hosts > 1) throw new RequestError('Host comes more than once');
  if (hosts === 0 && httpVersion !== '1.0') throw new RequestError('Host is missing');
}

function serialize({ status, headers, body }: UnparsedAnswer): string {
  const lines = Object.entries({
    ...headers,
    'Content-Length': new TextEncoder().encode(body).byteLength,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
