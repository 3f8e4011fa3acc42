import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../backoff.ts';
import type { Log } from '../log.ts';
import { inTurn } from '../watch/turn.ts';
import type { Watch } from '../watch/watch.ts';
import type { Duty } from './duty.ts';

/** A running worker. */
export interface Worker {
  /** Lets the duty under way finish and begins no other. */
  stop(): Promise<void>;
}

/** Who is told how turns go. */
export interface Witnesses {
  readonly log: Log;
  readonly watch: Watch;
}

/** The longest that a duty waits for its next turn because it fails, where its own rhythm is faster. */
const LONGEST_WAIT_MS = 5_000;

/**
 * Runs each duty at once and then in its rhythm, with jitter, so that workers started together drift apart. A duty
 * that fails again and again slows down, to a turn in some seconds.
 */
export function startWorker(duties: readonly Duty[], witnesses: Witnesses): Worker {
  const stopping = new AbortController();
  const running = duties.map((duty) => keepUp(duty, witnesses, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function keepUp(duty: Duty, witnesses: Witnesses, stopping: AbortSignal): Promise<void> {
  const longestMs = Math.max(duty.everyMs, LONGEST_WAIT_MS);
  for (let failures = 0; !stopping.aborted; ) {
    failures = (await takeTurn(duty, witnesses, stopping)) ? 0 : failures + 1;
    await pause(backoffMs(duty.everyMs, failures + 1, longestMs), undefined, { signal: stopping }).catch(
      () => {},
    );
  }
}

/** Takes one turn of a duty. @returns whether it did what it had to; else it is logged */
export function takeTurn(duty: Duty, { log, watch }: Witnesses, stopping: AbortSignal): Promise<boolean> {
  const { name } = duty;
  const turn = () =>
    watch.tracer.within(`duty: ${name}`, async (span) => {
      const startedAt = performance.now();
      const isDone = await duty.run(stopping).then(
        () => true,
        (err: unknown) => {
          log.error({ err }, 'duty failed');
          span.fail();
          return false;
        },
      );
      watch.meters.turned(name, (performance.now() - startedAt) / 1000, !isDone);
      return isDone;
    });
  return inTurn(name, turn);
}
