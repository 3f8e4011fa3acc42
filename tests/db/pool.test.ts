import { describe, expect, test, vi } from 'vitest';
import { limitConcurrency } from '../../src/db/pool.ts';
import { stopClock } from '../support/clock.ts';
import { scrape, WITH_METRICS } from '../support/metrics.ts';
import { anOpine } from '../support/opine.ts';
import { whileWritesBlock } from '../support/outages.ts';
import { confirmedPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { eventually } from '../support/streams.ts';

test.each([
  [2, 1],
  [4, 3],
  [10, 8],
])('of %i connections writes that wait take %i at most, and reads find one', async (size, limit) => {
  const opine = await anOpine({ ...WITH_METRICS, PROCESS: 'api', DATABASE_POOL_SIZE: String(size) });
  const person = await confirmedPerson(opine);
  const post = await aSlider(person);
  const { writes } = await whileWritesBlock(opine.database, 'app.saved_posts', async () => {
    const writes = Array.from({ length: size }, () => person.post(`/posts/${post.id}/save`));
    await eventually(async () =>
      (await scrape(opine)).value('opine_pool_waiting', { pool: 'requests' }),
    ).toBe(size - limit);
    const { value } = await scrape(opine);
    expect(value('opine_pool_connections', { pool: 'requests' })).toBe(limit);
    expect((await person.get(`/posts/${post.id}`)).status).toBe(200);
    return { writes };
  });
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(size).fill(200));
});

describe('the queue of writes', () => {
  const failing = async () => {
    throw new Error('a write of tests fails');
  };

  test('a write in the queue is refused after ten seconds and never runs, and later ones run', async () => {
    stopClock();
    const { run, waitingCount } = limitConcurrency(1);
    const { promise: locked, resolve: unlock } = Promise.withResolvers<void>();
    const ran: string[] = [];
    const slow = run(() => locked);
    const late = run(async () => void ran.push('late')).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(waitingCount()).toBe(1);
    const next = run(async () => void ran.push('next'));
    await vi.advanceTimersByTimeAsync(200);
    expect(await late).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    unlock();
    await Promise.all([slow, next]);
    expect(ran).toEqual(['next']);
    expect(waitingCount()).toBe(0);
  });

  test('a write in the queue runs when the one before it fails, which keeps its own error', async () => {
    const { run } = limitConcurrency(1);
    const failed = run(failing);
    const next = run(async () => 'written');
    await expect(failed).rejects.toThrow('a write of tests fails');
    expect(await next).toBe('written');
  });

  test('a write that has begun may take longer than ten seconds', async () => {
    stopClock();
    const { promise: locked, resolve: unlock } = Promise.withResolvers<string>();
    const slow = limitConcurrency(1).run(() => locked);
    await new Promise(setImmediate);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(20_000);
    unlock('written');
    expect(await slow).toBe('written');
  });
});
