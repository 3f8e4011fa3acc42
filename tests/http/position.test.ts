import { Hono } from 'hono';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import { parseReplicaRead, setPosition } from '../../src/http/position.ts';
import type { Services } from '../../src/services.ts';
import { HASH_SECRET } from '../support/opine.ts';

const services = { secrets: createSecrets(HASH_SECRET) } as Services;

/** Returns what a replica must show to a member or guest whose request has this header. */
async function replicaRead(header: string | undefined, isMember = true): Promise<unknown> {
  const app = new Hono().get('/', (c) => c.json(parseReplicaRead(c, isMember, services)));
  return (
    await app.request('/', { headers: header === undefined ? {} : { 'X-Opine-Position': header } })
  ).json();
}

/** Returns the header of an answer to a write. */
async function positionOf(transactionId: string): Promise<string> {
  const app = new Hono().get('/', (c) => {
    setPosition(c, transactionId, services);
    return c.body(null);
  });
  return (await app.request('/')).headers.get('X-Opine-Position') ?? '';
}

describe('a read that a replica may answer', () => {
  test('a read must show the writes whose positions it sends', async () => {
    const [one, two] = [await positionOf('17'), await positionOf('18')];
    expect(await replicaRead(one)).toEqual({ transactionIds: ['17'] });
    expect(await replicaRead(`${one}, ${two}`)).toEqual({ transactionIds: ['17', '18'] });
  });

  test('a guest without a position may read a replica, and a member may not', async () => {
    expect([await replicaRead(undefined, false), await replicaRead(undefined, true)]).toEqual([
      { transactionIds: [] },
      null,
    ]);
  });

  test('a write needs no position after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const old = await positionOf('17');
    vi.setSystemTime(Date.now() + 10_000);
    const recent = await positionOf('18');
    expect(await replicaRead(`${old},${recent}`)).toEqual({ transactionIds: ['17', '18'] });
    vi.setSystemTime(Date.now() + 1);
    expect(await replicaRead(`${old},${recent}`)).toEqual({ transactionIds: ['18'] });
    expect(await replicaRead(old)).toEqual({ transactionIds: [] });
  });

  test('a read of 16 positions is answered by a replica, and one of 17, or with a foreign one, by the primary', async () => {
    const positions = await Promise.all(
      Array.from({ length: 17 }, (_, number) => positionOf(String(number))),
    );
    expect(await replicaRead(positions.slice(1).join())).toMatchObject({ transactionIds: { length: 16 } });
    expect(await replicaRead(positions.join())).toBeNull();
    expect(await replicaRead(`${positions[0]},AAAA`)).toBeNull();
    expect(await replicaRead(services.secrets.sealTransactionId('17'))).toBeNull();
    expect(await replicaRead('')).toBeNull();
  });
});
