import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { UNWATCHED } from '../../src/observability/watch.ts';
import { backoffMs, retry } from '../../src/retry.ts';
import { startWorker, type Task } from '../../src/worker/worker.ts';
import { stopClock } from '../support/clock.ts';

const TELEMETRY = { log: createLog('silent'), watch: UNWATCHED };
const HOUR_MS = 3_600_000;

/** Makes every jitter the middle of its range. */
function withoutJitter(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
}

beforeEach(() => {
  stopClock();
  withoutJitter();
});

/** Starts a worker with a task whose runs end with these outcomes, and then succeed. Returns the pauses between its runs. */
function pausesOf(everyMs: number, outcomes: readonly ('fails' | 'succeeds')[]): number[] {
  const runs: number[] = [];
  const pauses: number[] = [];
  const task: Task = {
    name: 'a task of tests',
    everyMs,
    run: async () => {
      const last = runs.at(-1);
      if (last !== undefined) pauses.push(performance.now() - last);
      runs.push(performance.now());
      if (outcomes[runs.length - 1] === 'fails') throw new Error('a task of tests fails');
    },
  };
  const worker = startWorker([task], async () => [], TELEMETRY);
  onTestFinished(() => worker.stop());
  return pauses;
}

describe('the pause of a task', () => {
  test('a task runs at once, and then in its interval', async () => {
    const pauses = pausesOf(200, []);
    await vi.advanceTimersByTimeAsync(600);
    expect(pauses).toEqual([200, 200, 200]);
  });

  test('a task that fails waits twice as long each time, five seconds at most, and its interval after a success', async () => {
    const pauses = pausesOf(200, [...Array(7).fill('fails'), 'succeeds', 'fails']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(pauses.slice(0, 10)).toEqual([400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, 200, 400, 200]);
  });

  test('a task with a longer interval than five seconds keeps it when it fails', async () => {
    const pauses = pausesOf(60_000, ['fails', 'fails']);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(pauses.slice(0, 3)).toEqual([60_000, 60_000, 60_000]);
  });
});

describe('a task with a queue', () => {
  /** Starts a task that waits for work. Returns the times of its runs, and of the looks for work. */
  function startQueue(look: () => Promise<readonly string[]>, run = async () => {}) {
    const runs: number[] = [];
    const looks: number[] = [];
    const began = performance.now();
    const worker = startWorker(
      [
        {
          name: 'waits',
          everyMs: 500,
          idleMs: 30_000,
          run: () => {
            runs.push(performance.now() - began);
            return run();
          },
        },
      ],
      () => {
        looks.push(performance.now() - began);
        return look();
      },
      TELEMETRY,
    );
    onTestFinished(() => worker.stop());
    return { runs, looks, worker };
  }

  test('rests while a look names others alone, and runs when its longest pause is over', async () => {
    const { runs, looks } = startQueue(async () => ['another']);
    await vi.advanceTimersByTimeAsync(61_500);
    expect(runs).toEqual([0, 30_000, 60_000]);
    expect(looks.slice(0, 3)).toEqual([200, 400, 600]);
  });

  test('runs as soon as a look names it, and in its interval while looks do', async () => {
    let hasWork = false;
    const { runs } = startQueue(async () => (hasWork ? ['waits'] : []));
    await vi.advanceTimersByTimeAsync(10_000);
    hasWork = true;
    await vi.advanceTimersByTimeAsync(1_600);
    expect(runs).toEqual([0, 10_200, 10_700, 11_200]);
  });

  test('runs in its interval while looks fail, because they may hide work', async () => {
    const { runs } = startQueue(() => Promise.reject(new Error('a look of tests fails')));
    await vi.advanceTimersByTimeAsync(2_200);
    expect(runs).toEqual([0, 500, 1_000, 1_500, 2_000]);
  });

  test('runs in its interval without a look while it fails', async () => {
    const { runs, looks } = startQueue(
      async () => [],
      () => Promise.reject(new Error('a task of tests fails')),
    );
    await vi.advanceTimersByTimeAsync(3_500);
    expect([runs, looks]).toEqual([[0, 1_000, 3_000], []]);
  });

  test('ends its wait when the worker stops', async () => {
    const { runs, worker } = startQueue(async () => []);
    await vi.advanceTimersByTimeAsync(1_000);
    await worker.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toEqual([0]);
  });
});

test('a stopping worker ends its pauses, starts nothing more, and waits for the run in progress', async () => {
  const finished = Promise.withResolvers<void>();
  const started: string[] = [];
  const signals: AbortSignal[] = [];
  const worker = startWorker(
    [
      { name: 'rests', everyMs: HOUR_MS, run: async () => void started.push('rests') },
      {
        name: 'works',
        everyMs: 10,
        run: (stopping) => {
          started.push('works');
          signals.push(stopping);
          return finished.promise;
        },
      },
    ],
    async () => [],
    TELEMETRY,
  );
  await vi.advanceTimersByTimeAsync(1_000);
  let hasStopped = false;
  const stopped = worker.stop().then(() => {
    hasStopped = true;
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([signals.map(({ aborted }) => aborted), hasStopped]).toEqual([[true], false]);
  finished.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(2 * HOUR_MS);
  expect(started).toEqual(['rests', 'works']);
});

describe('the attempts of a call', () => {
  const failure = new Error('a call of tests fails');

  /** Retries a call that always fails, six times at most. Returns the times of its attempts, and how it ended. */
  async function attemptsOf(stopping: AbortSignal) {
    const from = performance.now();
    const at: number[] = [];
    const work = async () => {
      at.push(performance.now() - from);
      throw failure;
    };
    const outcome = retry(work, { attempts: 6, firstMs: 200, stopping }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    return { at, error: await outcome };
  }

  test('a retried call has its attempts with a growing pause, and then fails with the last error', async () => {
    const { at, error } = await attemptsOf(new AbortController().signal);
    expect(at).toEqual([0, 200, 600, 1_400, 3_000, 6_200]);
    expect(error).toBe(failure);
  });

  test('a retried call has one more attempt at once when the worker stops during a pause', async () => {
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 300);
    expect((await attemptsOf(stopping.signal)).at).toEqual([0, 200, 300]);
  });

  test('a retried call has one attempt when the worker is stopping', async () => {
    expect((await attemptsOf(AbortSignal.abort())).at).toEqual([0]);
  });
});

test.each([
  [0, 75],
  [0.999_999, 125],
])(
  'a pause differs by a quarter at most, so that callers who failed together do not retry together',
  (random, ms) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect(backoffMs(100, 1)).toBeCloseTo(ms, 2);
    expect(backoffMs(100, 3, 300)).toBeCloseTo(3 * ms, 2);
  },
);
