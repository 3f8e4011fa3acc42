/** Waits that long, or until `signal` is aborted. */
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

/** Somewhere between half of it and all, so that thousands who lost a server do not come back in one moment. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random() / 2);
}
