/** Items that callbacks add and one loop reads. */
export interface Queue<T> {
  /** The items. It is a generator, because nothing else is iterable in Hermes, which has no `Symbol.asyncIterator`. */
  readonly items: AsyncGenerator<T, void, undefined>;
  add(item: T): void;
  /** Ends the loop after the items that were added. @param error is thrown in the loop, if given */
  end(error?: Error): void;
}

/** Creates an empty queue. */
export function createQueue<T>(): Queue<T> {
  const waiting: T[] = [];
  let end: { error?: Error | undefined } | null = null;
  let wake = () => {};
  async function* read() {
    for (;;) {
      yield* waiting.splice(0);
      if (waiting.length > 0) continue;
      if (end?.error !== undefined) throw end.error;
      if (end !== null) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    items: read(),
    add: (item) => {
      waiting.push(item);
      wake();
    },
    end: (error) => {
      end ??= { error };
      wake();
    },
  };
}
