import { onTestFinished, vi } from 'vitest';

/** Stops the clocks and timers of this process until the test ends. `vi.advanceTimersByTimeAsync` moves them. */
export function stopClock(): void {
  vi.useFakeTimers({
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    fakeNodeBuiltins: true,
  });
  onTestFinished(() => void vi.useRealTimers());
}
