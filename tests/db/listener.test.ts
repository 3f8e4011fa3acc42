import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createListener, type SignalListener } from '../../src/db/listener.ts';
import { stopClock, waitWithoutClock } from '../support/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { listen } from '../support/loopback.ts';
import { countListeners, eventually } from '../support/streams.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Creates a listener on a wire to Postgres that the test can cut. */
async function aListener(): Promise<{ listener: SignalListener; wire: TcpProxy; gaps(): number }> {
  const wire = await startTcpProxy(inject('postgres').port);
  const url = new URL(database.urlAs('opine_gateway'));
  url.port = String(wire.port);
  let gaps = 0;
  const onGap = () => {
    gaps += 1;
  };
  const listener = createListener({ url: url.href, onSignals: () => {}, onGap });
  onTestFinished(async () => {
    await listener.close();
    await wire.cut();
  });
  return { listener, wire, gaps: () => gaps };
}

/** Counts the connections to a port from now on, and closes each. */
async function refuseAt(port: number): Promise<{ attempts(): number; stop(): Promise<void> }> {
  let attempts = 0;
  const server = createServer((socket) => {
    attempts += 1;
    socket.on('error', () => {}).destroy();
  });
  await listen(server, port);
  return {
    attempts: () => attempts,
    stop: async () => void (await new Promise((resolve) => server.close(resolve))),
  };
}

test('a lost connection is opened again after pauses that double, ten seconds at most, and one gap is reported', async () => {
  stopClock();
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const { listener, wire, gaps } = await aListener();
  await listener.start();
  await wire.cut();
  const refusing = await refuseAt(wire.port);
  const pauses = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000];
  for (const [failures, pause] of pauses.entries()) {
    // Each pause takes a random number when it begins.
    await waitWithoutClock(() => random.mock.calls.length === failures + 1);
    await vi.advanceTimersByTimeAsync(pause - 1);
    await new Promise(setImmediate);
    expect(refusing.attempts()).toBe(failures);
    await vi.advanceTimersByTimeAsync(1);
    await waitWithoutClock(() => refusing.attempts() === failures + 1);
  }
  await refusing.stop();
  await wire.mend();
  await waitWithoutClock(() => random.mock.calls.length === pauses.length + 1);
  await vi.advanceTimersByTimeAsync(10_000);
  await eventually(gaps).toBe(1);
  await eventually(() => countListeners({ database })).toBe(1);
});

test('a listener that is closed during an outage tries no more, and cannot start again', async () => {
  stopClock();
  const { listener, wire, gaps } = await aListener();
  await listener.start();
  await wire.cut();
  const refusing = await refuseAt(wire.port);
  await eventually(async () => {
    await vi.advanceTimersByTimeAsync(250);
    return refusing.attempts();
  }).toBe(1);
  await listener.close();
  await waitWithoutClock(() => vi.getTimerCount() === 0);
  await vi.advanceTimersByTimeAsync(60_000);
  await refusing.stop();
  expect([refusing.attempts(), gaps()]).toEqual([1, 0]);
  await wire.mend();
  await expect(listener.start()).rejects.toThrow('aborted');
});

test('callers that start at the same time share one connection, and a failed start keeps none', async () => {
  const { listener, wire, gaps } = await aListener();
  await sql`revoke execute on function gateway.signal_key from opine_gateway`.execute(database.superuser);
  for (const outcome of await Promise.allSettled([listener.start(), listener.start()])) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '42501' } });
  }
  // Before the silence of a connection ends it.
  await expect.poll(() => countListeners({ database }), { timeout: 4_000 }).toBe(0);
  await sql`grant execute on function gateway.signal_key to opine_gateway`.execute(database.superuser);
  await Promise.all([listener.start(), listener.start(), listener.start()]);
  expect(await countListeners({ database })).toBe(1);
  await wire.cut();
  await wire.mend();
  // The first start that failed was no gap.
  await eventually(gaps).toBe(1);
});
