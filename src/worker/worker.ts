import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../backoff.ts';
import type { Log } from '../log.ts';
import { inTaskRun } from '../observability/task-run.ts';
import type { Watch } from '../observability/watch.ts';

/** Work that repeats. A run is safe to repeat, and to run in two workers at once. */
export interface Task {
  readonly name: string;
  /** The pause between two runs. */
  readonly everyMs: number;
  /** Runs once. A long run ends early when `stopping` aborts. */
  run(stopping: AbortSignal): Promise<void>;
}

/** A running worker. */
export interface Worker {
  /** Starts no further run, and waits for those in progress. */
  stop(): Promise<void>;
}

/** Where runs are logged, counted and traced. */
export interface Telemetry {
  readonly log: Log;
  readonly watch: Watch;
}

/** The longest pause of a failing task whose interval is shorter. */
const MAX_BACKOFF_MS = 5_000;

/** Runs each task at once and then in its interval, with jitter. A task that keeps failing backs off. */
export function startWorker(tasks: readonly Task[], telemetry: Telemetry): Worker {
  const stopping = new AbortController();
  const running = tasks.map((task) => runForever(task, telemetry, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function runForever(task: Task, telemetry: Telemetry, stopping: AbortSignal): Promise<void> {
  const longestMs = Math.max(task.everyMs, MAX_BACKOFF_MS);
  for (let failures = 0; !stopping.aborted; ) {
    failures = (await runTask(task, telemetry, stopping)) ? 0 : failures + 1;
    await pause(backoffMs(task.everyMs, failures + 1, longestMs), undefined, { signal: stopping }).catch(
      () => {},
    );
  }
}

/** Runs a task once. @returns false if it failed, which is logged */
export function runTask(task: Task, { log, watch }: Telemetry, stopping: AbortSignal): Promise<boolean> {
  const { name } = task;
  const run = () =>
    watch.tracer.within(`task: ${name}`, async (span) => {
      const startedAt = performance.now();
      const hasSucceeded = await task.run(stopping).then(
        () => true,
        (err: unknown) => {
          log.error({ err }, 'task failed');
          span.fail();
          return false;
        },
      );
      watch.meters.taskRun(name, (performance.now() - startedAt) / 1000, !hasSucceeded);
      return hasSucceeded;
    });
  return inTaskRun(name, run);
}

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 200;

/** Retries `work` with backoff, six attempts in some seconds; only one once `stopping` aborts. */
export async function retry<T>(work: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || stopping.aborted) throw error;
    }
    await pause(backoffMs(FIRST_RETRY_MS, attempt), undefined, { signal: stopping }).catch(() => {});
  }
}
