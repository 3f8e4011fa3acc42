import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** What the holder of streams can be asked for. */
export type Question = 'memory' | 'collected memory' | 'begin delays' | 'delays';

/** How late the event loop was: milliseconds. */
export interface Delays {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

const RESOLUTION_MS = 10;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

// What it records is from one turn to the next, which is never less than the resolution.
const late = (nanoseconds: number) => Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0);

/** Collects garbage, and waits until what was freed is given back. */
async function collect(): Promise<void> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('it needs --expose-gc');
  gc();
  await pause(500);
  // The second time finds what the first has let go of.
  gc();
  await pause(500);
}

async function answerTo(question: Question): Promise<number | Delays> {
  if (question === 'begin delays') {
    delays.reset();
    delays.enable();
    return 0;
  }
  if (question === 'delays') {
    delays.disable();
    return {
      median: late(delays.percentile(50)),
      p99: late(delays.percentile(99)),
      longest: late(delays.max),
    };
  }
  if (question === 'collected memory') await collect();
  return process.memoryUsage.rss();
}

/** Loaded into the holder of streams before its own code: answers what it is asked. */
process.on('message', async (question: Question) => {
  process.send?.(await answerTo(question));
});
