import type { Log } from '../log.ts';
import { inTaskRun } from '../observability/task-run.ts';
import type { Watch } from '../observability/watch.ts';
import { backoffMs, sleep } from '../retry.ts';

/** Work that repeats. A run is safe to repeat, and to run in two workers at once. */
export interface Task {
  readonly name: string;
  /** The pause between two runs. */
  readonly everyMs: number;
  /** The longest pause of a task with a queue, which otherwise runs when `app.waiting_tasks` names it; without one, always `everyMs`. */
  readonly idleMs?: number;
  /** Runs once. A long run ends early when `stopping` aborts. */
  run(stopping: AbortSignal): Promise<void>;
}

/** A running worker. */
export interface Worker {
  /** Starts no further run, and waits for those in progress. */
  stop(): Promise<void>;
}

/** Where runs are logged, counted and traced. */
export interface TaskObservers {
  readonly log: Log;
  readonly watch: Watch;
}

/** The longest pause of a failing task whose interval is shorter. */
const MAX_BACKOFF_MS = 5_000;

/** How often an idle worker looks for work. */
const LOOK_MS = 200;

/**
 * Runs each task at once and then in its interval, with jitter; one with a queue only when there is work, or after a while. A task
 * that keeps failing backs off.
 * @param look returns the names of the tasks whose queues hold something
 */
export function startWorker(
  tasks: readonly Task[],
  look: () => Promise<readonly string[]>,
  observers: TaskObservers,
): Worker {
  const stopping = new AbortController();
  const untilWork = createLookout(look, stopping.signal);
  const running = tasks.map((task) => runForever(task, untilWork, observers, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Resolves when a task has work, at the latest after its longest pause or when the worker stops. */
type Lookout = (task: string, idleMs: number) => Promise<void>;

/** Creates a lookout for all tasks. It looks only while one of them waits. A look that fails may hide work, so it wakes them all. */
function createLookout(look: () => Promise<readonly string[]>, stopping: AbortSignal): Lookout {
  const waiting = new Map<string, () => void>();
  let isLooking = false;

  async function lookOut(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (waiting.size > 0) {
      await sleep(LOOK_MS, stopping);
      if (stopping.aborted || waiting.size === 0) break;
      const names = await inTaskRun('look for work', look).catch(() => [...waiting.keys()]);
      for (const name of names) waiting.get(name)?.();
    }
    isLooking = false;
  }

  return async (task, idleMs) => {
    const woken = new AbortController();
    waiting.set(task, () => woken.abort());
    void lookOut();
    await sleep(idleMs, AbortSignal.any([woken.signal, stopping]));
    waiting.delete(task);
  };
}

async function runForever(
  task: Task,
  untilWork: Lookout,
  observers: TaskObservers,
  stopping: AbortSignal,
): Promise<void> {
  const longestMs = Math.max(task.everyMs, MAX_BACKOFF_MS);
  for (let failures = 0; !stopping.aborted; ) {
    failures = (await runTask(task, observers, stopping)) ? 0 : failures + 1;
    const hasPaused = sleep(backoffMs(task.everyMs, failures + 1, longestMs), stopping);
    // Looks go on meanwhile: work that one of them finds waits for the pause alone, and not for another look.
    if (failures === 0 && task.idleMs !== undefined) await untilWork(task.name, task.idleMs);
    await hasPaused;
  }
}

/** Runs a task once. @returns false if it failed, which is logged */
export function runTask(task: Task, { log, watch }: TaskObservers, stopping: AbortSignal): Promise<boolean> {
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
