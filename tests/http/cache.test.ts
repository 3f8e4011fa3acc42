import { expect, test } from 'vitest';
import { createCache } from '../../src/cache.ts';

test('a cache keeps as many values as its size, the newest ones', () => {
  const cache = createCache<number>(3);
  const kept = () => ['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key));
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('c', 3);
  expect(kept()).toEqual([1, 2, 3, undefined, undefined]);
  cache.set('d', 4);
  expect(kept()).toEqual([undefined, 2, 3, 4, undefined]);
  // A key that is there already takes no place.
  cache.set('d', 5);
  expect(kept()).toEqual([undefined, 2, 3, 5, undefined]);
  cache.set('e', 6);
  expect(kept()).toEqual([undefined, undefined, 3, 5, 6]);
});
