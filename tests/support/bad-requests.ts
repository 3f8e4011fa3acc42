import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Json } from './client.ts';
import type { ApiDocument } from './document.ts';

/** A JSON body that its operation must refuse, and the invalid field. */
interface BadBody {
  readonly text: string;
  readonly field: string;
}

/** A field of a body schema. */
interface Field {
  readonly path: readonly string[];
  readonly schema: Json;
  readonly isRequired: boolean;
}

const NAMES_OF_OBJECT = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$ref', ''];

/**
 * Generates bodies with one error: a wrong type, a missing required field or an unknown field.
 * @param example a valid body
 */
export function badBodies(document: ApiDocument, schema: Json, example: Json): fc.Arbitrary<BadBody> {
  const known = new Set(fieldsOf(document, schema).map(({ path }) => path[0]));
  const withUnknown = fc
    .tuple(fc.oneof(fc.constantFrom(...NAMES_OF_OBJECT), fc.string()), fc.jsonValue({ maxDepth: 3 }))
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => ({ field: name, text: withField(example, name, value) }));
  return fc.oneof(mistypedBodies(document, schema, example), withUnknown);
}

/** Generates bodies with a field of a wrong type, or without a required one. */
export function mistypedBodies(document: ApiDocument, schema: Json, example: Json): fc.Arbitrary<BadBody> {
  const fields = fieldsOf(document, schema);
  const ofWrongType = fc
    .constantFrom(...fields)
    .chain((field) => valueBeside(typesOf(field.schema)).map((value) => ({ field, value })))
    .map(({ field: { path }, value }) => bad(path, changed(example, path, value)));
  const required = fields.filter(({ isRequired, path }) => isRequired && path.length === 1);
  const withoutOne = required.map(({ path }) => fc.constant(bad(path, changed(example, path, undefined))));
  return fc.oneof({ weight: 5, arbitrary: ofWrongType }, ...withoutOne);
}

/** Generates bodies with a text that Postgres cannot store or that is unusual. */
export function poisonedBodies(document: ApiDocument, schema: Json, example: Json): fc.Arbitrary<string> {
  const poison = fc.constantFrom(
    '\u0000',
    '\ud800',
    '\udfff',
    '\ufffe',
    '\u202e',
    '\u0008',
    '👍',
    '%s',
    "'",
    '\\',
  );
  return fc
    .tuple(
      fc.constantFrom(...fieldsOf(document, schema)),
      fc.string({ unit: 'binary' }),
      poison,
      fc.string({ unit: 'binary' }),
    )
    .map(([{ path }, before, middle, after]) =>
      JSON.stringify(changed(example, path, before + middle + after)),
    );
}

/** Generates bodies with up to three fields replaced by values of `odd`. */
export function oddBodies(
  document: ApiDocument,
  schema: Json,
  example: Json,
  odd: (name: string) => fc.Arbitrary<Json>,
): fc.Arbitrary<Json> {
  const replaced = fc
    .constantFrom(...fieldsOf(document, schema))
    .chain(({ path }) => odd(path.at(-1) ?? '').map((value) => ({ path, value })));
  return fc
    .array(replaced, { maxLength: 3 })
    .map((fields) => fields.reduce((body, { path, value }) => changed(body, path, value), example));
}

/** Returns the example with each of its texts replaced by each of `texts`, one at a time. */
export function bodiesWithEach(
  document: ApiDocument,
  schema: Json,
  example: Json,
  texts: readonly string[],
): Json[] {
  const fields = fieldsOf(document, schema).filter(({ schema: field }) => typesOf(field).has('string'));
  return fields.flatMap(({ path }) => texts.map((text) => changed(example, path, text)));
}

/** Returns bodies that are no JSON object. */
export function brokenBodies(example: Json): [string, Uint8Array<ArrayBuffer>][] {
  const right = JSON.stringify(example);
  const texts: [string, string][] = [
    ['white space', ' \n'],
    ['a truncated object', right.slice(0, -1)],
    ['the object twice', right + right],
    ['a trailing comma', right.replace(/}$/, ',}')],
    ['single quotes', right.replaceAll('"', "'")],
    ['a word', 'undefined'],
    ['NaN', '{"a":NaN}'],
    ['a NUL', '\u0000'],
    ['a NUL after the object', `${right}\u0000`],
    ['an unescaped NUL in a name', right.replace('"', '"\u0000')],
    ['an array', `[${right}]`],
    ['a text', JSON.stringify(right)],
    ['a number', '1e999'],
    ['null', 'null'],
    ['true', 'true'],
    ['100,000 open arrays', '['.repeat(100_000)],
    ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['50,000 nested objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a number of 100,000 digits', '9'.repeat(100_000)],
    ['a form', 'phoneNumber=%2B12025550101&code=4242'],
    ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ];
  const latin1 = Buffer.from(
    right.replace(/:(?:"|\[|\d|true|false|null)/, (start) => `${start}\u00ff`),
    'latin1',
  );
  return [
    ...texts.map(([name, text]): [string, Uint8Array<ArrayBuffer>] => [name, new TextEncoder().encode(text)]),
    ['invalid UTF-8', Uint8Array.from(latin1)],
    ['a truncated UTF-8 character', Uint8Array.from(Buffer.from(`{"a":"\u00e9"}`).subarray(0, 7))],
    ['UTF-16', Uint8Array.from(Buffer.from(right, 'utf16le'))],
    ['random bytes', Uint8Array.from({ length: 256 }, (_, index) => 255 - index)],
  ];
}

/** Returns the typed fields of a body schema, nested ones included. */
function fieldsOf(document: ApiDocument, schema: Json, path: readonly string[] = []): Field[] {
  const { properties = {}, required = [] } = document.resolve(schema);
  return Object.entries<Json>(properties).flatMap(([name, property]) => {
    const field = {
      path: [...path, name],
      schema: document.resolve(property),
      isRequired: required.includes(name),
    };
    return [field, ...fieldsOf(document, notNull(document, field.schema), field.path)];
  });
}

/** Returns the schema without its null alternative. */
function notNull(document: ApiDocument, schema: Json): Json {
  const { anyOf } = schema;
  return anyOf ? document.resolve(anyOf.find(({ type }: Json) => type !== 'null')) : schema;
}

function typesOf({ type, anyOf = [], enum: values = [], ...rest }: Json): Set<string> {
  const constants = 'const' in rest ? [rest.const] : values;
  return new Set(
    [type ?? [], constants.map(typeOf), anyOf.flatMap((part: Json) => [...typesOf(part)])].flat(2),
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** JSON Schema's integer is a number without a fraction. */
const isOneOf = (types: Set<string>, value: Json) =>
  types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value));

/** Generates JSON values of none of `types`. */
function valueBeside(types: Set<string>): fc.Arbitrary<Json> {
  const common = fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e300, '', 'a', [], {}, [null], [[]], {
    a: {},
  });
  return fc.oneof(common, fc.jsonValue()).filter((value) => !isOneOf(types, value));
}

const bad = (path: readonly string[], body: Json): BadBody => ({
  text: JSON.stringify(body),
  field: path[0] ?? '',
});

/** Returns `body` with `value` at `path`; undefined removes the field. */
function changed(body: Json, [name = '', ...rest]: readonly string[], value: Json): Json {
  return { ...body, [name]: rest.length === 0 ? value : changed(body?.[name] ?? {}, rest, value) };
}

/** Adds a field as text, since names such as `__proto__` cannot be set safely. */
function withField(body: Json, name: string, value: Json): string {
  const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return JSON.stringify(body).replace(/^{/, () => `{${field},`);
}

/** Arguments that exceed a limit of one field. */
interface Excess {
  /** The field and its violation. */
  readonly name: string;
  readonly field: string;
  readonly value: unknown;
  readonly args: Json;
  /** Too large for an HTTP request, which the server refuses by size. */
  readonly isHuge: boolean;
}

/** Fields that hold the name of a person, a Hub or a file. */
const NAMES = ['fullName', 'displayName', 'name', 'fileName'];

const HUGE = 1024 * 1024;

/**
 * Returns arguments that break each documented limit of each field, one at a time: lengths, counts, ranges,
 * patterns, choices, distinct ids and visible text.
 * @param example valid arguments
 */
export function beyondLimits(document: ApiDocument, schema: Json, example: Json): Excess[] {
  return fieldsOf(document, schema).flatMap((field) =>
    valuesBeyond(document, field).map(([what, value, isHuge = false]) => ({
      name: `${field.path.join('.')} ${what}`,
      field: field.path[0] ?? '',
      value,
      args: changed(example, field.path, value),
      isHuge,
    })),
  );
}

type Value = [what: string, value: unknown, isHuge?: boolean];

function valuesBeyond(document: ApiDocument, { path, schema }: Field): Value[] {
  const { type, enum: choices, ...rest } = notNull(document, schema);
  if (choices) return [['that is not a choice', 'no_choice'], ...hugeText()];
  if (type === 'string') return [...textsBeyond(rest), ...(isName(path) ? unplainNames() : [])];
  if (type === 'integer') return numbersBeyond(rest);
  if (type === 'array') return arraysBeyond(document.resolve(rest.items), rest);
  return [];
}

const isName = (path: readonly string[]) => path.length === 1 && NAMES.includes(path[0] ?? '');

const hugeText = (): Value[] => [['of 1 MiB', 'x'.repeat(HUGE), true]];

function textsBeyond({ minLength = 0, maxLength, pattern, format }: Json): Value[] {
  if (format === 'uuid') return [['that is not an id', 'no-uuid'], ...hugeText()];
  if (pattern) return [['of another pattern', 'Not of this form!'], ['with a NUL', '\u0000'], ...hugeText()];
  if (maxLength === undefined) return [];
  const blank = (characters: string) => characters.repeat(Math.max(1, minLength));
  return [
    ['that is too long', 'x'.repeat(maxLength + 1)],
    ['with a NUL', `a${'\u0000'}b`],
    ...(minLength > 0
      ? ([
          ['that is empty', ''],
          ['of white space', blank('\u2003')],
          ['of zero-width characters', blank('\u200b')],
          ['of blank letters', blank('\u3164')],
          ['of direction controls', blank('\u202e')],
        ] satisfies Value[])
      : []),
    ...hugeText(),
  ];
}

const unplainNames = (): Value[] => [
  ['with a control character', 'Ma\u0008ya'],
  ['with a line end', 'Ma\nya'],
  ['with a direction control', 'Ma\u202eya'],
  ['with a direction isolate', 'Ma\u2066ya'],
];

function numbersBeyond({ minimum, maximum }: Json): Value[] {
  return [
    ['below the minimum', minimum - 1],
    ['far below the minimum', -(2 ** 31)],
    ['above the maximum', maximum + 1],
    ['of 300 digits', 1e300],
    ['that is a fraction', minimum + 0.5],
  ];
}

function arraysBeyond(items: Json, { minItems = 0, maxItems }: Json): Value[] {
  if (maxItems === undefined) return [];
  const item = items.format === 'uuid' ? randomUUID : itemOf(items);
  const list = (length: number) => Array.from({ length }, item);
  const id = randomUUID();
  return [
    ['with one item too many', list(maxItems + 1)],
    ['with thousands of items', list(maxItems + 5000)],
    ...(minItems > 0 ? ([['without items', []]] satisfies Value[]) : []),
    ...(items.format === 'uuid'
      ? ([
          ['with the same id twice', [id, id]],
          ['with the same id in capitals', [id, id.toUpperCase()]],
          ['with a malformed id', ['no-uuid']],
          ['with null', [null]],
        ] satisfies Value[])
      : []),
  ];
}

/** Returns a generator of array items: phone numbers or contacts. */
function itemOf({ type }: Json): () => unknown {
  let count = 0;
  return () => {
    count += 1;
    const phoneNumber = `+4930${10_000_000 + count}`;
    return type === 'object' ? { name: 'Somebody', phoneNumbers: [] } : phoneNumber;
  };
}

/** Values of `Idempotency-Key` that are not 1 to 128 visible ASCII characters. */
export const BAD_KEYS: readonly (readonly [name: string, value: string])[] = [
  ['empty', ''],
  ['with a space', 'with space'],
  ['with a tab', 'with\ttab'],
  ['of 129 characters', 'k'.repeat(129)],
  ['with a non-ASCII letter', 'caf\u00e9'],
  ['of one non-ASCII byte', '\u0080'],
  ['of 12,000 characters', 'k'.repeat(12_000)],
];

/** Values of `Authorization` without a valid bearer token. */
export const BAD_BEARERS: readonly (readonly [name: string, value: string])[] = [
  ['empty', ''],
  ['without a token', 'Bearer'],
  ['with white space as the token', 'Bearer   '],
  ['with two tokens', 'Bearer a b'],
  ['of another scheme', 'Basic bWF5YTo0MjQy'],
  ['without a scheme', 'eyJhbGciOiJFUzI1NiJ9.e30.AA'],
  ['with a token that is no JWT', 'Bearer x'],
  ['with an unsigned JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'],
  ['with a JWT without JSON', 'Bearer AAAA.AAAA.AAAA'],
  ['with the token __proto__', 'Bearer __proto__'],
  ['with a non-ASCII letter', 'Bearer caf\u00e9'],
  ['of 12,000 characters', `Bearer ${'x'.repeat(12_000)}`],
];

/** Values of `Content-Type` other than JSON. */
export const BAD_TYPES: readonly (readonly [name: string, value: string])[] = [
  ['empty', ''],
  ['text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a multipart form without a boundary', 'multipart/form-data'],
  ['no slash', 'json'],
  ['a longer subtype', 'application/jsonp'],
  ['JSON as the second type', 'text/plain, application/json'],
  ['with a non-ASCII letter', 'application/j\u00e7on'],
  ['of 12,000 characters', `application/${'x'.repeat(12_000)}`],
];

/** Headers that never cause a refusal. */
export const IGNORED_HEADERS: readonly (readonly [header: string, value: string])[] = [
  ['x-request-id', ''],
  ['x-request-id', 'two words'],
  ['x-request-id', 'caf\u00e9'],
  ['x-request-id', 'x'.repeat(12_000)],
  ['accept', 'text/html'],
  ['accept', 'application/json;q=0'],
  ['accept', '\u00ff'],
  ['accept-language', 'zz-ZZ;q=9'],
  ['user-agent', ''],
  ['x-forwarded-for', ','],
  ['x-forwarded-for', '\u00ff, 999.0.0.1'],
  ['traceparent', '00-0-0-0'],
  ['cookie', '__Host-staff_session=%E0%A4%A; =; ;'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-1'],
];

/** Bodies that an operation without a body refuses. */
export const UNEXPECTED_BODIES: readonly (readonly [name: string, text: string])[] = [
  ['an unknown field', '{"a":1}'],
  ['the field __proto__', '{"__proto__":{}}'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a text', '"{}"'],
  ['a number', '0'],
  ['half an object', '{'],
  ['two objects', '{}{}'],
  ['white space', ' '],
  ['a form', 'a=1'],
];
