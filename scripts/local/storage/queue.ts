/** Runs tasks one after another, in the order in which they were given. */
type Serially = <T>(task: () => Promise<T>) => Promise<T>;

/** A queue of its own: a task starts when all earlier ones have ended, however they ended. */
export function createQueue(): Serially {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const run = last.then(task);
    last = run.catch(() => undefined);
    return run;
  };
}
