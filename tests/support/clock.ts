import { onTestFinished, vi } from 'vitest';

/** Stops the clocks and timers of this process until the test ends. `vi.advanceTimersByTimeAsync` moves them. */
export function stopClock(): void {
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    fakeNodeBuiltins: true,
  });
  onTestFinished(() => void vi.useRealTimers());
}

/** Waits until `isDone`, without the clock: `expect.poll` would move it. */
export async function waitWithoutClock(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise(setImmediate);
}

/**
 * Stops the clock of `AbortSignal.timeout` until the test ends: connections to a real Postgres need the other timers.
 * Returns a function that moves it by milliseconds.
 */
export function stopTimeouts(): (ms: number) => void {
  const waiting = new Map<AbortController, number>();
  let now = 0;
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    waiting.set(controller, now + ms);
    return controller.signal;
  });
  onTestFinished(() => spy.mockRestore());
  return (ms) => {
    now += ms;
    for (const [controller, endsAt] of waiting) {
      if (endsAt > now) continue;
      waiting.delete(controller);
      controller.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    }
  };
}
