/** Items that callbacks add and one loop reads. */
export interface Queue<T> extends AsyncIterable<T> {
  add(item: T): void;
  /** Ends the loop after the items that were added. @param error is thrown in the loop, if given */
  end(error?: Error): void;
}

/** Creates an empty queue. */
export function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  let end: { error?: Error | undefined } | null = null;
  let wake = () => {};
  return {
    add: (item) => {
      items.push(item);
      wake();
    },
    end: (error) => {
      end ??= { error };
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* items.splice(0);
        if (items.length > 0) continue;
        if (end?.error !== undefined) throw end.error;
        if (end !== null) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
