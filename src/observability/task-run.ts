import { AsyncLocalStorage } from 'node:async_hooks';

/** One run of a worker's task: names its log lines and its connections. */
export interface TaskRun {
  readonly task: string;
  /** A random id of the run. */
  readonly run: string;
}

const runs = new AsyncLocalStorage<TaskRun>();

/** Runs `work` as a run of `task`, which `currentTaskRun` returns inside of it. */
export function inTaskRun<T>(task: string, work: () => Promise<T>): Promise<T> {
  return runs.run({ task, run: crypto.randomUUID() }, work);
}

/** Returns the run that the caller is part of, or undefined. */
export function currentTaskRun(): TaskRun | undefined {
  return runs.getStore();
}

/** Runs `work` outside of any run: events of a pooled connection do not belong to the run that opened it. */
export function outsideTaskRuns(work: () => void): void {
  runs.exit(work);
}
