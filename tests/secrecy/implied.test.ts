import { expect, test } from 'vitest';
import { impliedBy } from './implied.ts';

/** Returns the votes that tallies imply; each user is one letter. */
function known(...tallies: [users: string, counts: readonly number[]][]): Record<string, string> | null {
  const implied = impliedBy(
    tallies.map(([users, counts]) => ({ post: 'a post', users: [...users], counts })),
  );
  return implied && Object.fromEntries(implied);
}

test('a unanimous tally implies every vote', () => {
  expect(known(['abc', [0, 3, 0, 0, 0]])).toEqual({ a: 'left', b: 'left', c: 'left' });
});

test('a tally with two positions implies no vote', () => {
  expect(known(['abc', [0, 2, 0, 1, 0]])).toEqual({});
});

test('the difference of two tallies implies the vote of their only differing voter', () => {
  expect(known(['abc', [0, 2, 0, 1, 0]], ['bc', [0, 1, 0, 1, 0]])).toEqual({ a: 'left' });
});

test('a unanimous tally within another implies no vote outside it', () => {
  expect(known(['abcd', [1, 2, 1, 0, 0]], ['ab', [0, 2, 0, 0, 0]])).toEqual({ a: 'left', b: 'left' });
});

test('overlapping tallies imply votes only if a single assignment fits', () => {
  expect(known(['ab', [1, 1, 0, 0, 0]], ['bc', [1, 1, 0, 0, 0]], ['ca', [1, 1, 0, 0, 0]])).toBeNull();
  expect(known(['ab', [1, 1, 0, 0, 0]], ['bc', [1, 1, 0, 0, 0]])).toEqual({});
  expect(known(['ab', [1, 1, 0, 0, 0]], ['bc', [0, 1, 1, 0, 0]])).toEqual({
    a: 'strong_left',
    b: 'left',
    c: 'neutral',
  });
});

test('impliedBy finds votes that only several tallies together imply', () => {
  // Each two neighbours share a voter, and only one assignment has whole votes.
  expect(known(['ab', [2, 0, 0, 0, 0]], ['bcd', [1, 1, 0, 1, 0]], ['de', [0, 1, 0, 0, 1]])).toEqual({
    a: 'strong_left',
    b: 'strong_left',
    c: 'right',
    d: 'left',
    e: 'strong_right',
  });
});

test('contradictory tallies have no solution', () => {
  expect(known(['ab', [0, 2, 0, 0, 0]], ['a', [1, 0, 0, 0, 0]])).toBeNull();
  expect(known(['ab', [0, 3, 0, 0, 0]])).toBeNull();
});
