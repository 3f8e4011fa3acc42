import { once } from 'node:events';
import http from 'node:http';
import type { Bearers } from './bearers.ts';

const READY = 'event: ready';
const HINT = 'event: notification';

/** A stream of one person. */
export interface Listener {
  /** When its first hint came, by `performance.now`. */
  readonly hinted: Promise<number>;
  close(): void;
}

/** Opens a stream through the API. @returns when it has told that it is ready */
export async function listen(port: number, bearers: Bearers, user: number): Promise<Listener> {
  const request = http.get({
    host: '127.0.0.1',
    port,
    agent: false,
    path: '/api/v1/notifications/stream',
    headers: { accept: 'text/event-stream', authorization: `Bearer ${await bearers.tokenOf(user)}` },
  });
  const [answer]: http.IncomingMessage[] = await once(request, 'response');
  if (answer?.statusCode !== 200) throw new Error(`a stream was answered with ${answer?.statusCode}`);
  const ready = Promise.withResolvers<void>();
  const hinted = Promise.withResolvers<number>();
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    const now = performance.now();
    text += chunk;
    if (text.includes(READY)) ready.resolve();
    if (text.includes(HINT)) hinted.resolve(now);
  });
  answer.once('error', () => {});
  await ready.promise;
  return { hinted: hinted.promise, close: () => request.destroy() };
}
