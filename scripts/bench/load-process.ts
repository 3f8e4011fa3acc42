import { readFileSync } from 'node:fs';
import net from 'node:net';

/** What the load generator reads from the file that it is given. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly status: number;
  /** A text that every answer must hold. */
  readonly answerHolds: string;
  /** Whole HTTP/1.1 requests, each sent once. */
  readonly requests: readonly string[];
}

/** When a request was sent and when its answer was there, in seconds. */
export type Timing = readonly [sent: number, answered: number];

// On node:http a request would cost the two cores as much again as it costs the server to parse.
const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)\r\n/i;

/** The size of the answer at the start of `received`, or null while its head is not all there. */
function sizeOf(received: Buffer, expected: string): number | null {
  const bodyStart = received.indexOf(HEAD_END) + HEAD_END.length;
  if (bodyStart < HEAD_END.length) return null;
  const head = received.toString('latin1', 0, bodyStart);
  const length = CONTENT_LENGTH.exec(head)?.[1];
  if (!head.startsWith(expected) || length === undefined) {
    throw unexpected(received);
  }
  return bodyStart + Number(length);
}

function unexpected(received: Buffer): Error {
  return new Error(`an answer is not the one expected:\n${received.toString()}`);
}

/** Sends what `next` gives, one after the other, until it gives nothing more. */
function drive(
  load: Load,
  next: () => string | undefined,
  onAnswer: (timing: Timing) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port: load.port, host: '127.0.0.1', noDelay: true });
    const expected = `HTTP/1.1 ${load.status} `;
    let received: Buffer = Buffer.alloc(0);
    let sent = 0;
    const send = () => {
      const request = next();
      sent = now();
      if (request === undefined) socket.end(resolve);
      else socket.write(request);
    };
    socket.once('connect', send);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      try {
        const size = sizeOf(received, expected);
        if (size === null || received.length < size) return;
        if (received.length > size || !received.includes(load.answerHolds)) throw unexpected(received);
      } catch (error) {
        socket.destroy();
        reject(error);
        return;
      }
      received = Buffer.alloc(0);
      onAnswer([sent, now()]);
      send();
    });
  });
}

function now(): number {
  return performance.now() / 1000;
}

async function main(): Promise<void> {
  const load = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Load;
  const timings: Timing[] = [];
  const queue = load.requests.values();
  const next = () => queue.next().value;
  const onAnswer = (timing: Timing) => {
    timings.push(timing);
  };
  await Promise.all(Array.from({ length: load.connections }, () => drive(load, next, onAnswer)));
  process.stdout.write(JSON.stringify(timings));
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
