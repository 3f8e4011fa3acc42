import { beforeEach, expect, test, vi } from 'vitest';
import type { Backlog } from '../../src/observability/gauges.ts';
import { createMetrics, type Metrics } from '../../src/observability/metrics.ts';
import { stopClock } from '../support/clock.ts';

const BACKLOG: Backlog = {
  outbox_count: 1,
  outbox_age_seconds: 2,
  push_count: 3,
  push_age_seconds: 4,
  dead_letter_count: 5,
  fan_out_count: 6,
  account_deletion_count: 7,
  vote_age_seconds: 8,
  inbox_change_count: 9,
};

/** The answers of Postgres to the next readings of the backlog. */
let answers: Promise<Backlog>[];
let readCount: number;
let metrics: Metrics;

beforeEach(() => {
  stopClock();
  answers = [];
  readCount = 0;
  metrics = createMetrics();
  const backlog = () => {
    readCount += 1;
    return answers.shift() ?? Promise.resolve(BACKLOG);
  };
  metrics.show({ pools: () => [], streams: null, backlog });
});

/** Returns the values of the backlog in a page of metrics, by name. */
async function scraped(): Promise<Record<string, number>> {
  const { text } = await metrics.page();
  const lines = [
    ...text.matchAll(/^opine_(?!pool|task|request|database|replica|pushes_total)(\w+) (\S+)$/gm),
  ];
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]));
}

const ALL = {
  outbox_rows: 1,
  outbox_age_seconds: 2,
  pushes_waiting: 3,
  pushes_age_seconds: 4,
  dead_letters: 5,
  fan_outs_waiting: 6,
  account_deletions_waiting: 7,
  vote_fold_age_seconds: 8,
  inbox_counts_unfolded: 9,
};

test('a page of metrics has each number of the backlog, which is read once in five seconds', async () => {
  expect(await scraped()).toEqual(ALL);
  await vi.advanceTimersByTimeAsync(4_999);
  await scraped();
  expect(readCount).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  answers = [Promise.resolve({ ...BACKLOG, outbox_count: 0, outbox_age_seconds: null })];
  const { outbox_age_seconds: _, ...others } = ALL;
  expect(await scraped()).toEqual({ ...others, outbox_rows: 0 });
  expect(readCount).toBe(2);
});

test('a page of metrics omits a backlog that cannot be read, and has the next one', async () => {
  await scraped();
  await vi.advanceTimersByTimeAsync(5_000);
  const failed = Promise.reject(new Error('refused'));
  failed.catch(() => {});
  answers = [failed];
  expect(await scraped()).toEqual({});
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await scraped()).toEqual(ALL);
});

test('a page of metrics waits three seconds for the backlog, and leaves no timer behind', async () => {
  const timers = vi.getTimerCount();
  answers = [new Promise(() => {})];
  let values: object | undefined;
  const page = scraped().then((all) => {
    values = all;
  });
  await vi.advanceTimersByTimeAsync(2_999);
  expect(values).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await page;
  expect(values).toEqual({});
  await vi.advanceTimersByTimeAsync(5_000);
  await scraped();
  expect(vi.getTimerCount()).toBe(timers);
});
