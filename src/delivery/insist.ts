import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../backoff.ts';

const MOST_TRIES = 6;
const FIRST_PAUSE_MS = 200;

/** Does `work`, and again where it fails, a few times in some seconds; once where it is `stopping`. */
export async function insist<T>(work: () => Promise<T>, stopping: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MOST_TRIES || stopping.aborted) throw error;
    }
    await pause(backoffMs(FIRST_PAUSE_MS, tries), undefined, { signal: stopping }).catch(() => {});
  }
}
