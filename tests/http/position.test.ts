import { Hono } from 'hono';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';
import { showPosition, staleReadOf } from '../../src/http/position.ts';
import type { Services } from '../../src/services.ts';
import { HASH_SECRET } from '../support/opine.ts';

const services = { secrets: createSecrets(HASH_SECRET) } as Services;

/** Returns what a replica must show to a member or guest whose request has this header. */
async function staleRead(header: string | undefined, isMember = true): Promise<unknown> {
  const app = new Hono().get('/', (c) => c.json(staleReadOf(c, isMember, services)));
  return (
    await app.request('/', { headers: header === undefined ? {} : { 'X-Opine-Position': header } })
  ).json();
}

/** Returns the header of an answer to a write. */
async function positionOf(transactionId: string): Promise<string> {
  const app = new Hono().get('/', (c) => {
    showPosition(c, transactionId, services);
    return c.body(null);
  });
  return (await app.request('/')).headers.get('X-Opine-Position') ?? '';
}

describe('a read that a replica may answer', () => {
  test('a read must show the writes whose positions it sends', async () => {
    const [one, two] = [await positionOf('17'), await positionOf('18')];
    expect(await staleRead(one)).toEqual({ positions: ['17'] });
    expect(await staleRead(`${one}, ${two}`)).toEqual({ positions: ['17', '18'] });
  });

  test('a guest without a position may read a replica, and a member may not', async () => {
    expect([await staleRead(undefined, false), await staleRead(undefined, true)]).toEqual([
      { positions: [] },
      null,
    ]);
  });

  test('a write needs no position after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const old = await positionOf('17');
    vi.setSystemTime(Date.now() + 10_000);
    const recent = await positionOf('18');
    expect(await staleRead(`${old},${recent}`)).toEqual({ positions: ['17', '18'] });
    vi.setSystemTime(Date.now() + 1);
    expect(await staleRead(`${old},${recent}`)).toEqual({ positions: ['18'] });
    expect(await staleRead(old)).toEqual({ positions: [] });
  });

  test('a read of 16 positions is answered by a replica, and one of 17, or with a foreign one, by the primary', async () => {
    const positions = await Promise.all(
      Array.from({ length: 17 }, (_, number) => positionOf(String(number))),
    );
    expect(await staleRead(positions.slice(1).join())).toMatchObject({ positions: { length: 16 } });
    expect(await staleRead(positions.join())).toBeNull();
    expect(await staleRead(`${positions[0]},AAAA`)).toBeNull();
    expect(await staleRead(services.secrets.sealPosition('17'))).toBeNull();
    expect(await staleRead('')).toBeNull();
  });
});
