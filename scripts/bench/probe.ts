import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { answerParent, type Delays, type Question } from './processes.ts';

const RESOLUTION_MS = 10;
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

// The histogram has the time between two timers, which is never less than the resolution.
const delayOf = (nanoseconds: number) => Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0);

function startDelays(): void {
  histogram.reset();
  histogram.enable();
}

function delays(): Delays {
  histogram.disable();
  return {
    median: delayOf(histogram.percentile(50)),
    p99: delayOf(histogram.percentile(99)),
    longest: delayOf(histogram.max),
  };
}

async function memoryWithoutGarbage(): Promise<number> {
  // The second collection frees what finalizers of the first have released. V8 returns freed pages in the background.
  for (let collection = 0; collection < 2; collection += 1) {
    globalThis.gc?.();
    await pause(500);
  }
  return process.memoryUsage.rss();
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const ANSWERS: Readonly<Record<Question, () => unknown>> = {
  'CPU time': cpuTime,
  memory: () => process.memoryUsage.rss(),
  'memory without garbage': memoryWithoutGarbage,
  'start delays': startDelays,
  delays,
};

// A server loads this module before its own code.
answerParent<{ readonly question: Question }>(({ question }) => ANSWERS[question]());
