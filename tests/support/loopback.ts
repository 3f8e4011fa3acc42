import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/**
 * A fake answer: a response, no response (`hang`), a closed connection (`reset`), or a success that breaks off (`cut`) or stops
 * (`stall`) within its body.
 */
export type FakeAnswer =
  | 'hang'
  | 'reset'
  | 'cut'
  | 'stall'
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Text is sent unchanged. */
      readonly body?: string | object;
    };

/** Listens on a loopback port, by default a free one. Returns the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Closes a server and its connections. */
export async function close(server: Pick<HttpServer, 'close' | 'closeAllConnections'>): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export function respond(
  outgoing: ServerResponse,
  answer: FakeAnswer,
  { success = 200, contentType = 'application/json' } = {},
): void {
  if (answer === 'hang') return;
  if (answer === 'reset') {
    outgoing.destroy();
  } else if (answer === 'cut' || answer === 'stall') {
    outgoing.writeHead(success, { 'content-type': contentType, 'content-length': '1000' });
    outgoing.write('{"name":', () => answer === 'cut' && outgoing.destroy());
  } else {
    const { status, body = '', headers } = answer;
    outgoing.writeHead(status, { 'content-type': contentType, ...headers });
    outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
}
