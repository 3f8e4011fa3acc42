import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildLoginUrl } from '../../src/db/pool.ts';
import { callFunction, openWorkerDatabase } from '../../src/db/worker-database.ts';
import { clientOf, refusal } from '../support/client.ts';
import { listen } from '../support/loopback.ts';
import { type ReplicatedOpine, startReplicatedOpine } from '../support/replicas.ts';
import { anotherServer } from '../support/sign-in.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

let opine: ReplicatedOpine;

beforeAll(async () => {
  opine = await startReplicatedOpine(1);
});

afterAll(() => opine?.stop());

test('a worker whose connection led to a standby works again when the address leads to the primary', async () => {
  const url = new URL(opine.replicas[0]?.url ?? '');
  const primary = Number(new URL(opine.database.superuserUrl).port);
  const proxy = await startTcpProxy(Number(url.port));
  onTestFinished(() => proxy.cut());
  url.port = String(proxy.port);
  // The replica has the password of the primary's logins.
  url.password = new URL(opine.database.urlAs('opine_gateway')).password;
  const db = openWorkerDatabase(buildLoginUrl(url.href, 'opine_worker'), () => {});
  onTestFinished(() => db.destroy());
  const heartbeat = () => callFunction(db, 'gateway.record_heartbeat');
  await expect(heartbeat()).rejects.toThrow();
  proxy.turn(primary);
  await heartbeat();
});

/** The messages of a pooler: AuthenticationOk, ReadyForQuery, an answer without rows, and an error of its own. */
const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const READY = message('Z', Buffer.from('I'));
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY]);
const NO_ROW = Buffer.concat([message('C', Buffer.from('SELECT 0\0')), READY]);
const LOST = message('E', Buffer.from('SERROR\0VERROR\0CXX000\0Mserver login failed\0\0'));

/** Starts a pooler that accepts clients and loses its server. Returns its port and how many clients of the API it has accepted. */
async function aPoolerWithoutServer(): Promise<{ port: number; accepted(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (startup) => {
      if (startup.includes('opine-api')) count += 1;
      socket.write(WELCOME);
      // A new connection asks for its timeout by the simple protocol.
      socket.on('data', (bytes) => {
        socket.write(bytes.toString('latin1', 0, 1) === 'Q' ? NO_ROW : Buffer.concat([LOST, READY]));
      });
    });
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return { port, accepted: () => count };
}

test('an error of a pooler is 503, and its connection is not used again', async () => {
  const pooler = await aPoolerWithoutServer();
  const url = `postgresql://opine_gateway:x@127.0.0.1:${pooler.port}/opine`;
  const guest = clientOf(await anotherServer(opine, { PROCESS: 'api', DATABASE_URL: url }));
  for (const connections of [1, 2]) {
    expect(await guest.get('/posts')).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    expect(pooler.accepted()).toBe(connections);
  }
});
