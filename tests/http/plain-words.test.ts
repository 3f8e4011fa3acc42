import { expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../src/contract/errors.ts';
import { validate } from '../../src/http/input.ts';

const schema = z.strictObject({
  name: z.string(),
  age: z.int().min(1),
  tags: z.array(z.string()).max(2),
  kind: z.enum(['cat', 'dog']),
});

function messagesFor(value: object): unknown {
  try {
    return validate(schema, value);
  } catch (error) {
    const issues = error instanceof ApiError ? (error.details.issues as { message: string }[]) : [];
    return issues.map(({ message }) => message);
  }
}

test('issues say what is wrong in words for people, and never quote what was sent', () => {
  expect(messagesFor({ age: 'secret', tags: ['a', 'b', 'c'], kind: 'secret', colour: 'secret' })).toEqual([
    'This is missing.',
    'Must be a number.',
    'Must have at most 2 entries.',
    'Must be one of: cat, dog.',
    'Unknown field: colour.',
  ]);
  expect(messagesFor({ name: 'Tom', age: 0, tags: [], kind: 'cat' })).toEqual(['Must be at least 1.']);
});
