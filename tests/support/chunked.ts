import { request } from 'node:http';
import { type Reply, readReply } from './reply.ts';

const CHUNK = Buffer.alloc(64 * 1024, 'x');

/**
 * Posts `size` bytes of no announced length as JSON, chunk by chunk, for as long as the server takes them.
 * @throws where the server closes the connection without an answer
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
    // A server that has refused the body may close while it still comes.
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
