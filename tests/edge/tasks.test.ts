import { expect, test } from 'vitest';
import { runTasks } from '../../src/edge-tasks.ts';
import { createLog } from '../../src/log.ts';
import type { Task } from '../../src/worker/worker.ts';

/** Creates tasks that append their names to `ran` when they run. */
function tasksOf(ran: string[], runs: Readonly<Record<string, Task['run']>>): Task[] {
  return Object.entries(runs).map(([name, run]) => ({
    name,
    everyMs: 1_000,
    run: (stopping) => {
      ran.push(name);
      return run(stopping);
    },
  }));
}

const backlog: Task['run'] = (stopping) =>
  new Promise((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }));
const nothing: Task['run'] = async () => {};
const failure: Task['run'] = async () => {
  throw new Error('a task of tests fails');
};

const QUIET = createLog('silent');

test('a task with a backlog leaves time for the tasks behind it', async () => {
  const ran: string[] = [];
  const tasks = tasksOf(ran, { fold: backlog, sweep: nothing });
  expect(await runTasks(tasks, QUIET, { all: 60_000, each: 20 })).toBe(true);
  expect(ran).toEqual(['fold', 'sweep']);
});

test('a failing task does not stop the tasks behind it, and the run reports the failure', async () => {
  const ran: string[] = [];
  const tasks = tasksOf(ran, { fold: failure, sweep: nothing });
  expect(await runTasks(tasks, QUIET, { all: 60_000, each: 60_000 })).toBe(false);
  expect(ran).toEqual(['fold', 'sweep']);
});

test('tasks for which a call has no time left do not start, and are logged', async () => {
  const ran: string[] = [];
  const lines: string[] = [];
  const tasks = tasksOf(ran, { fold: backlog, sweep: nothing });
  const log = createLog('info', (line) => lines.push(line));
  expect(await runTasks(tasks, log, { all: 20, each: 60_000 })).toBe(true);
  expect(ran).toEqual(['fold']);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { skipped: ['sweep'], msg: 'tasks had no time left' },
  ]);
});
