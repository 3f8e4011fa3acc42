import fc from 'fast-check';

/** Returns a generator of numbers from 0 to below 1 that repeats for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a function that draws one of some items by `random`. @throws Error if there are none */
export function chooserOf(random: () => number): <Item>(items: readonly Item[]) => Item {
  return (items) => itemAt(items, Math.floor(random() * items.length));
}

/** Returns the item at `index`, counted round and round. @throws Error if there are none */
export function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There are no items to choose from.');
  return item;
}

/** Returns the item at `index`, counted round and round; null if there are none. */
export function pick<Item>(items: readonly Item[], index: number): Item | null {
  return items[index % items.length] ?? null;
}

/** Returns the item at `index` from the end, counted round and round; null if there are none. */
export function pickLatest<Item>(items: readonly Item[], index: number): Item | null {
  return items[items.length - 1 - (index % items.length)] ?? null;
}

/** Draws a key of `weights`, each as often as its weight says. */
export function weighted<Key extends string>(weights: Readonly<Record<Key, number>>): fc.Arbitrary<Key> {
  const entries = Object.entries<number>(weights).filter(([, weight]) => weight > 0);
  return fc.oneof(...entries.map(([key, weight]) => ({ weight, arbitrary: fc.constant(key as Key) })));
}
