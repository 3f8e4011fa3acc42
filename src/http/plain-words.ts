import type { z } from 'zod';

/** The JSON types, as people call them. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'yes or no (true or false)',
  array: 'a list',
  object: 'an object with fields',
};

/** What has a size, by its origin in zod: one, and several. */
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
};

/** The formats of texts, as people call them. */
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  url: 'a web address, with https://',
  uuid: 'an id (UUID)',
  guid: 'an id (UUID)',
  date: 'a date, such as 2030-12-31',
  datetime: 'a time, such as 2030-12-31T12:00:00Z',
};

/** Says what is wrong with a value in words that an app can show beside its field. A schema says itself what its own rules want. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'This is missing.'
        : `Must be ${TYPES[issue.expected] ?? 'of another type'}.`;
    case 'too_small':
      return sizeText(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return sizeText(issue.origin, 'at most', issue.maximum);
    case 'invalid_value':
      return `Must be one of: ${issue.values.join(', ')}.`;
    case 'unrecognized_keys':
      return `Unknown field: ${issue.keys.join(', ')}.`;
    case 'invalid_format':
      return `Must be ${FORMATS[issue.format] ?? 'of another form'}.`;
    default:
      return 'This is not valid.';
  }
};

function sizeText(origin: string, bound: 'at least' | 'at most', size: number | bigint): string {
  const [one, several] = UNITS[origin] ?? [];
  return one === undefined
    ? `Must be ${bound} ${size}.`
    : `Must have ${bound} ${size} ${Number(size) === 1 ? one : several}.`;
}
