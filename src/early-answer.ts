import type { IncomingMessage, ServerResponse } from 'node:http';

/** The limit of a discarded body: more than any operation accepts. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The limit of a pause in a body. Node's `requestTimeout` limits the whole request. */
const IDLE_MS = 10_000;

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Delivers an answer to a client that still sends its body, like `lingering_close` of nginx. A close on unread bytes resets
 * the connection, and the client loses the answer. So the whole answer goes out at once, and it ends, with the connection,
 * after the body.
 */
export async function answerBeforeBody(
  response: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<Response> {
  // `body` comes last: to read it makes a web response of what @hono/node-server otherwise writes at once.
  if (incoming.complete || !hasBody(incoming) || response.body === null) return response;
  outgoing.shouldKeepAlive = false;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set('Content-Length', String(bytes.byteLength));
  const body = new ReadableStream({
    start: async (controller) => {
      controller.enqueue(bytes);
      await discardBody(incoming);
      controller.close();
    },
  });
  return new Response(body, { status: response.status, headers });
}

/** Discards a body. Resolves at the end of the body or the connection, or at a limit. */
async function discardBody(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const idle = setTimeout(resolve, IDLE_MS);
  let size = 0;
  incoming
    .on('data', ({ length }: Uint8Array) => {
      size += length;
      if (size > MAX_BYTES) resolve();
      else idle.refresh();
    })
    .once('end', resolve)
    .once('close', resolve)
    .resume();
  await promise;
  clearTimeout(idle);
}
