import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createLink, dropWhenSilent } from '../../src/db/silence.ts';
import { listen } from '../support/loopback.ts';
import { isForgotten } from '../support/memory.ts';

let port: number;
/** The other ends of the connections, oldest first. */
let others: Socket[];

beforeEach(async () => {
  others = [];
  const server = createServer(
    { allowHalfOpen: true },
    (socket) => void others.push(socket.on('error', () => {})),
  );
  port = await listen(server);
  onTestFinished(() => {
    for (const other of others) other.destroy();
    server.close();
  });
});

async function aConnection(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  while (others.length === 0) await new Promise(setImmediate);
  const reference = new WeakRef(socket);
  onTestFinished(() => void reference.deref()?.destroy());
  return socket;
}

test('a link drops the connections that have received nothing since it was marked, and no others', async () => {
  const link = createLink();
  const [silent, speaking, closed] = [await aConnection(), await aConnection(), await aConnection()];
  for (const socket of [silent, speaking, closed]) link.add(socket);
  closed.destroy();
  await once(closed, 'close');
  const dropSilent = link.mark();
  const later = await aConnection();
  link.add(later);
  while (others.length < 4) await new Promise(setImmediate);
  const heard = once(speaking, 'data');
  for (const other of others) if (other.remotePort === speaking.localPort) other.write('an answer');
  await heard;
  dropSilent();
  expect([silent, speaking, later].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
});

test('a link forgets a connection that has closed', async () => {
  const link = createLink();
  let socket: Socket | undefined = await aConnection();
  const reference = new WeakRef(socket);
  link.add(socket);
  socket.destroy();
  await once(socket, 'close');
  socket = undefined;
  expect(await isForgotten(reference)).toBe(true);
  link.mark()();
});

describe('a connection without bytes for its timeout', () => {
  test('a connection in use is dropped, and its statement fails', async () => {
    const socket = await aConnection();
    dropWhenSilent(socket, 20);
    const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown]);
    expect(error).toMatchObject({ message: 'Postgres does not answer.' });
    expect(socket.destroyed).toBe(true);
  });

  test('an idle connection stays, until somebody uses it or closes it', async () => {
    const [idle, used, ended] = [await aConnection(), await aConnection(), await aConnection()];
    let isInUse = false;
    dropWhenSilent(idle, 20, () => false);
    dropWhenSilent(used, 20, () => isInUse);
    dropWhenSilent(ended, 20, () => false);
    await Promise.all([idle, used, ended].map((socket) => once(socket, 'timeout')));
    expect([idle, used, ended].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    isInUse = true;
    used.write('a statement');
    ended.end('goodbye');
    await Promise.all([used, ended].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    expect(idle.destroyed).toBe(false);
  });
});
