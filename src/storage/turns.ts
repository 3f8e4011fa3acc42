/** Runs tasks of one key one after another, in the order in which they came; those of other keys do not wait. */
export type InTurn = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Makes turns of a process. A task that fails keeps nobody from the next. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, task) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(task, task);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
