import { z } from 'zod';

/** Whether Postgres can store a text: it has no NUL and no lone surrogate. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}

/** Counts code points, as char_length of Postgres does. */
function characterCount(value: string): number {
  return Array.from(value).length;
}

/**
 * Returns the schema of a trimmed text of `min` to `max` code points. The column's CHECK counts in the same way.
 * Postgres checks for a visible character.
 */
export function text(min: number, max: number) {
  return bounded(z.string().trim(), min, max);
}

/** Returns the schema of a text of at most `max` code points, which stays as it was sent. */
export function verbatim(max: number) {
  return bounded(z.string(), 0, max);
}

function bounded(string: z.ZodString, min: number, max: number) {
  const tooShort = min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`;
  return string
    .refine(isStorable, { message: 'Holds a character that cannot be stored.', abort: true })
    .refine((value) => characterCount(value) >= min, { message: tooShort, abort: true })
    .refine((value) => characterCount(value) <= max, {
      message: `Must have at most ${max} characters.`,
      abort: true,
    })
    .meta({ minLength: min, maxLength: max });
}

/** Returns the schema of a text that matches a pattern. @param message describes the pattern */
export function pattern(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

/** A UUID, in lower case as Postgres writes it. */
export const id = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'Must be a UUID.')
  .toLowerCase()
  .meta({ format: 'uuid' });

/** Whether no id repeats. */
export const areDistinct = (ids: readonly string[]) => new Set(ids).size === ids.length;

/** The id of a person, empty for an anonymous one. */
export const idOrEmpty = z
  .string()
  .regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/, 'Must be a UUID or empty.')
  .meta({ description: 'Empty for an anonymous person.' });

/** A time: ISO 8601 in UTC. A year beyond 9999 has a sign and six digits. */
export const timestamp = pattern(
  /^(\d{4}|\+\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  'Must be a time in UTC.',
).meta({ format: 'date-time' });

/** An absolute http or https URL. */
export const webUrl = text(1, 2000)
  .refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), {
    message: 'Must be the address of a web page. It begins with https:// or http://.',
  })
  .meta({ format: 'uri' });

/** A username in canonical form (docs/product.md P2). */
export const handle = pattern(/^[a-z0-9_]{3,30}$/, 'Must be 3 to 30 small letters, digits and underscores.');

/** An ID token of an identity provider. */
export const idToken = text(1, 16_384);

/** Ids that many installs have: no permission, Android's default address of a network card, an Android of 2010. */
const PLACEHOLDER = /^(unknown.*|0+|020000000000|9774d56d682e549c)$/;

/** Whether an id tells an install from others (docs/product.md I13). */
function isDistinctive(deviceId: string): boolean {
  const lowerCase = deviceId.toLowerCase();
  const compact = lowerCase.replaceAll(/[^\p{Letter}\p{Number}]/gu, '');
  return new Set(lowerCase).size >= 5 && !PLACEHOLDER.test(compact);
}

/** The id of an app install. Postgres sees only its keyed hash. */
export const deviceId = text(16, 200).refine(isDistinctive, {
  message: 'Must be an id of this install, and no placeholder.',
});

/** A push token of a device (docs/product.md N21). */
export const deviceToken = z
  .string()
  .regex(/^\S{16,4096}$/, { error: 'Must be 16 to 4096 characters without white space.', abort: true })
  .refine((value) => isStorable(value) && !/\p{Cc}/u.test(value), {
    message: 'Must hold no control characters.',
  });

/** Returns the schema of the size of a page in a query. */
function pageSize(min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(/^-?\d{1,9}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta({
      description: 'The number of items on a page.',
      type: 'integer',
      minimum: min,
      maximum: max,
      default: fallback,
    });
}

/** A boolean in a query, false by default. */
export const queryFlag = z
  .string()
  .regex(/^(true|false)$/, 'Must be true or false.')
  .transform((value) => value === 'true')
  .default(false)
  .meta({ type: 'boolean', default: false });

/** Returns the schema of an optional text in a query; an empty one counts as absent (docs/product.md W5). */
function optionalText(schema: z.ZodType<string>) {
  return z
    .preprocess((value) => (value === '' ? undefined : value), schema.optional())
    .meta({ minLength: 0 });
}

// The cursor of a search holds a name in which one character may have become 18.
const cursor = optionalText(pattern(/^[A-Za-z0-9_-]{1,4000}$/, 'Not a cursor of this list.')).meta({
  description: 'The `nextCursor` of the previous page.',
});

/** The query of a list of posts (docs/product.md W7): page size 20, at most 50. */
export const postPage = { cursor, limit: pageSize(1, 50, 20) };

/** The query of any other list: page size 30, at most 100. */
export const listPage = { cursor, limit: pageSize(1, 100, 30) };

/** The text of a search. */
export const searchText = text(1, 80);

/** The text that filters a list. */
export const filterText = optionalText(searchText);

/** Returns the schema of a page of a list: `PostCardPage` of the schema `PostCard`. */
export function page<T extends z.ZodType>(item: T) {
  const name = item.meta()?.id;
  return z
    .strictObject({
      items: z.array(item).describe('The items, in the order of the list.'),
      nextCursor: z.string().nullable().describe('The cursor of the next page; null on the last one.'),
    })
    .meta({ id: `${name}Page`, description: `A page of a list of ${name}.` });
}

/** The data of an empty success. */
export const nothing = z.strictObject({}).meta({ id: 'Empty', description: 'No data.' });

/** A field that is null in this answer, and a text in another one. @param description says where the text is */
export const textElsewhere = (description?: string) =>
  z.null().meta({ type: ['string', 'null'], description });

/** A Hub by its name. */
export const HubName = z
  .strictObject({ id: id.describe('The id of the Hub.'), name: z.string().describe('Its name.') })
  .meta({ id: 'HubName', description: 'A Hub by its name.' });

/** Whether the caller has saved a post or discussion. */
export const SaveState = z
  .strictObject({ saved: z.boolean().describe('Whether it is saved now.') })
  .meta({ id: 'SaveState', description: 'Whether the caller has saved something.' });
