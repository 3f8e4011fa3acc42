import { expect, test } from 'vitest';
import { impliedBy } from './implied.ts';

/** What is known of the votes of people, one letter each, from tallies of them. */
function known(...tallies: [users: string, counts: readonly number[]][]): Record<string, string> | null {
  const implied = impliedBy(
    tallies.map(([users, counts]) => ({ post: 'a post', users: [...users], counts })),
  );
  return implied && Object.fromEntries(implied);
}

test('a audience that is of one mind has no secrets', () => {
  expect(known(['abc', [0, 3, 0, 0, 0]])).toEqual({ a: 'left', b: 'left', c: 'left' });
});

test('a audience of two minds keeps every one', () => {
  expect(known(['abc', [0, 2, 0, 1, 0]])).toEqual({});
});

test('who is in one of two pools alone is what they differ by', () => {
  expect(known(['abc', [0, 2, 0, 1, 0]], ['bc', [0, 1, 0, 1, 0]])).toEqual({ a: 'left' });
});

test('who is in all pools but a unanimous one is not the same as known', () => {
  expect(known(['abcd', [1, 2, 1, 0, 0]], ['ab', [0, 2, 0, 0, 0]])).toEqual({ a: 'left', b: 'left' });
});

test('pools that overlap tell of nobody as long as two worlds fit them', () => {
  expect(known(['ab', [1, 1, 0, 0, 0]], ['bc', [1, 1, 0, 0, 0]], ['ca', [1, 1, 0, 0, 0]])).toBeNull();
  expect(known(['ab', [1, 1, 0, 0, 0]], ['bc', [1, 1, 0, 0, 0]])).toEqual({});
  expect(known(['ab', [1, 1, 0, 0, 0]], ['bc', [0, 1, 1, 0, 0]])).toEqual({
    a: 'strong_left',
    b: 'left',
    c: 'neutral',
  });
});

test('what only all pools together imply is found', () => {
  // Three circles in a ring: each two of them share a voter, and only one world has whole people.
  expect(known(['ab', [2, 0, 0, 0, 0]], ['bcd', [1, 1, 0, 1, 0]], ['de', [0, 1, 0, 0, 1]])).toEqual({
    a: 'strong_left',
    b: 'strong_left',
    c: 'right',
    d: 'left',
    e: 'strong_right',
  });
});

test('totals that are not those of these people have no world', () => {
  expect(known(['ab', [0, 2, 0, 0, 0]], ['a', [1, 0, 0, 0, 0]])).toBeNull();
  expect(known(['ab', [0, 3, 0, 0, 0]])).toBeNull();
});
