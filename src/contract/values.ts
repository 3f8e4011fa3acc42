import { z } from 'zod';

/** Whether Postgres can store `value` as it is: no NUL, no half of a surrogate pair. */
function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\u0000');
}

/** How many characters a person would count: code points, as Postgres's char_length does. */
function characterCount(value: string): number {
  return Array.from(value).length;
}

/**
 * Text of `min` to `max` characters, without the white space around it. Characters are code points: an emoji
 * counts once, and a length that passes here passes the column's CHECK as well. Postgres tells visible text from invisible.
 */
export function text(min: number, max: number) {
  const tooShort = min === 1 ? 'Must not be empty.' : `Must have at least ${min} characters.`;
  return z
    .string()
    .trim()
    .refine(isStorable, { message: 'Holds a character that cannot be stored.', abort: true })
    .refine((value) => characterCount(value) >= min, { message: tooShort })
    .refine((value) => characterCount(value) <= max, { message: `Must have at most ${max} characters.` })
    .meta({ minLength: min, maxLength: max });
}

/** Text that fits `pattern` whole; `message` says in words what that is. */
export function pattern(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

/** Any UUID, in lower case as Postgres writes it. */
export const id = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'Must be a UUID.')
  .toLowerCase()
  .meta({ format: 'uuid' });

/** The id of a person, empty where they are anonymous. */
export const idOrEmpty = z.union([id, z.literal('')]);

/** A time in an answer: ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

/** An absolute http or https address. */
export const webUrl = text(1, 2000)
  .refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value), {
    message: 'Must be an http or https URL.',
  })
  .meta({ format: 'uri' });

/** A username in canonical form (docs/product.md P2). */
export const handle = pattern(/^[a-z0-9_]{3,30}$/, 'Must be 3 to 30 of a-z, 0-9 and _.');

/** An ID token of an identity provider. */
export const idToken = text(1, 16_384);

/** A push token of a device (docs/product.md N21). */
export const deviceToken = z
  .string()
  .regex(/^\S{16,4096}$/, { error: 'Must be 16 to 4096 characters without white space.', abort: true })
  .refine((value) => isStorable(value) && !/\p{Cc}/u.test(value), {
    message: 'Must hold no control characters.',
  });

/** A whole number in a query. */
function queryInteger(min: number, max: number, fallback: number) {
  return z
    .string()
    .regex(/^-?\d{1,9}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta({ type: 'integer', minimum: min, maximum: max, default: fallback });
}

/** A yes or no in a query. */
export const queryFlag = z
  .string()
  .regex(/^(true|false)$/, 'Must be true or false.')
  .transform((value) => value === 'true')
  .default(false)
  .meta({ type: 'boolean', default: false });

// That of a search holds a name, of which a character may have become 18 others.
const cursor = text(1, 4000).optional().meta({ description: 'The `nextCursor` of the page before.' });

/** The query of a list of posts (docs/product.md W7): page size 20, at most 50. */
export const postPage = { cursor, limit: queryInteger(1, 50, 20) };

/** The query of any other list: page size 30, at most 100. */
export const listPage = { cursor, limit: queryInteger(1, 100, 30) };

/** What somebody types to search. */
export const searchText = text(1, 80);

/** The data of a list: a page of `item` and where the next one begins. */
export function page<T extends z.ZodType>(item: T) {
  return z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** The data of an empty success. */
export const nothing = z.strictObject({});
