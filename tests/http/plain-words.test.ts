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

const formats = z.strictObject({
  email: z.email(),
  site: z.url(),
  id: z.guid(),
  day: z.iso.date(),
  code: z.string().regex(/^\d+$/).optional(),
  names: z.array(z.string().min(1)).min(1),
});

function messagesFor(value: object, form: z.ZodObject = schema): unknown {
  try {
    return validate(form, value);
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

test('issues name the format that a text must have, and one of a thing in the singular', () => {
  expect(messagesFor({ email: 'a', site: 'b', id: 'c', day: 'd', code: 'e', names: [''] }, formats)).toEqual([
    'Must be an e-mail address.',
    'Must be a web address, with https://.',
    'Must be an id (UUID).',
    'Must be a date, such as 2030-12-31.',
    'Must be of another form.',
    'Must have at least 1 character.',
  ]);
  const right = { email: 'a@b.test', site: 'https://b.test', id: crypto.randomUUID(), day: '2030-12-31' };
  expect(messagesFor({ ...right, names: [] }, formats)).toEqual(['Must have at least 1 entry.']);
});
