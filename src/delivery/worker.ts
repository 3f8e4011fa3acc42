import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Duty } from './duty.ts';

/** A running worker. */
export interface Worker {
  /** Lets the duty under way finish and begins no other. */
  stop(): Promise<void>;
}

/**
 * Runs each duty at once and then in its rhythm, with jitter, so that workers started together drift apart. A duty
 * that fails is logged and has its next turn as if it had not.
 */
export function startWorker(duties: readonly Duty[], log: Log): Worker {
  const stopping = new AbortController();
  const running = duties.map((duty) => keepUp(duty, log, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function keepUp(duty: Duty, log: Log, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      await duty.run(stopping);
    } catch (err) {
      log.error({ err, duty: duty.name }, 'duty failed');
    }
    const rest = duty.everyMs * (0.75 + Math.random() / 2);
    await pause(rest, undefined, { signal: stopping }).catch(() => {});
  }
}
