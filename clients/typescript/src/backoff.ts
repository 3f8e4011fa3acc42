/** Waits for `ms`, or until `signal` aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, signal?.aborted ? 0 : ms);
    signal?.addEventListener('abort', done);
  });
}

/** Returns a random duration between half of `ms` and `ms`, so that clients do not reconnect all at once. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
