import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson } from '../support/people.ts';
import { startStreamServer } from '../support/streaming.ts';
import { eventually, expectReconnect, openReadyStream } from '../support/streams.ts';

const MINUTE_MS = 60_000;

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

// Only the timers of streams are fake: database timeouts need real time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
});

afterEach(() => {
  vi.useRealTimers();
});

// docs/product.md N18
test('a stream without signals has a comment every 20 seconds', async () => {
  const streaming = await startStreamServer(opine);
  const maya = await anonymousPerson(opine);
  const streams = [];
  for (const _ of [1, 2, 3]) {
    streams.push(await openReadyStream(streaming, maya));
    vi.advanceTimersByTime(3_000);
  }
  const before = streams.map(({ comments }) => comments);
  for (let window = 1; window <= 6; window += 1) {
    vi.advanceTimersByTime(20_000);
    for (const [index, stream] of streams.entries()) {
      await eventually(() => stream.comments).toBeGreaterThanOrEqual((before[index] ?? 0) + window);
    }
  }
  for (const { text, ending } of streams) {
    expect(text).toMatch(/^retry: 3000\n\nevent: ready\ndata: .*\n\n(: .*\n\n)+$/);
    expect(ending).toBeUndefined();
  }
});

// docs/product.md N19
test('every stream ends with a reconnect event within 55 minutes, at spread times', async () => {
  const streaming = await startStreamServer(opine);
  const streams = [];
  for (let number = 0; number < 30; number += 1) {
    streams.push(await openReadyStream(streaming, await anonymousPerson(opine)));
  }
  vi.advanceTimersByTime(44 * MINUTE_MS);
  expect(streaming.count).toBe(streams.length);
  const counts = new Set<number>();
  for (let minute = 44; minute < 55; minute += 1) {
    counts.add(streaming.count);
    vi.advanceTimersByTime(MINUTE_MS);
  }
  expect(counts.size).toBeGreaterThan(3);
  expect(streaming.count).toBe(0);
  for (const stream of streams) await expectReconnect(stream);
  await eventually(streaming.connections).toBe(0);
});
