import fc from 'fast-check';
import type { ApiDocument } from './document.ts';
import type { Json } from './reply.ts';

/** A body that no operation of its schema may take, as JSON text, and the field that is wrong with it. */
export interface BadBody {
  readonly text: string;
  readonly field: string;
}

/** A field of a body: where it is, and its schema. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: Json;
  readonly isRequired: boolean;
}

const NAMES_OF_OBJECT = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '$ref', ''];

/**
 * Bodies that are wrong in one thing: a field of another type, a required one that is missing, one that is unknown.
 * @param schema the body's, of `document`
 * @param example a body that is right
 */
export function badBodies(document: ApiDocument, schema: Json, example: Json): fc.Arbitrary<BadBody> {
  const known = new Set(fieldsOf(document, schema).map(({ path }) => path[0]));
  const withUnknown = fc
    .tuple(fc.oneof(fc.constantFrom(...NAMES_OF_OBJECT), fc.string()), fc.jsonValue({ maxDepth: 3 }))
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => ({ field: name, text: withField(example, name, value) }));
  return fc.oneof(mistypedBodies(document, schema, example), withUnknown);
}

/** Bodies with a field of another type, or without a required one. Parameters as of `badBodies`. */
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

/** Bodies one of whose fields is a text that Postgres cannot store, or that nobody expects. */
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

/** Bodies that are no JSON object at all, as bytes. */
export function brokenBodies(example: Json): [string, Uint8Array<ArrayBuffer>][] {
  const right = JSON.stringify(example);
  const texts: [string, string][] = [
    ['white space', ' \n'],
    ['half of it', right.slice(0, -1)],
    ['twice', right + right],
    ['a comma too many', right.replace(/}$/, ',}')],
    ['single quotes', right.replaceAll('"', "'")],
    ['a word', 'undefined'],
    ['not a number', '{"a":NaN}'],
    ['a NUL', '\u0000'],
    ['a NUL behind it', `${right}\u0000`],
    ['a bare NUL in a name', right.replace('"', '"\u0000')],
    ['an array', `[${right}]`],
    ['a text', JSON.stringify(right)],
    ['a number', '1e999'],
    ['null', 'null'],
    ['true', 'true'],
    ['a hundred thousand arrays', '['.repeat(100_000)],
    ['a hundred thousand arrays, closed', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['fifty thousand objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
    ['a number of a hundred thousand digits', '9'.repeat(100_000)],
    ['a form', 'phoneNumber=%2B12025550101&code=4242'],
    ['XML', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ];
  const latin1 = Buffer.from(
    right.replace(/:(?:"|\[|\d|true|false|null)/, (start) => `${start}\u00ff`),
    'latin1',
  );
  return [
    ...texts.map(([name, text]): [string, Uint8Array<ArrayBuffer>] => [name, new TextEncoder().encode(text)]),
    ['bytes that are no UTF-8', Uint8Array.from(latin1)],
    ['half of a UTF-8 character', Uint8Array.from(Buffer.from(`{"a":"\u00e9"}`).subarray(0, 7))],
    ['UTF-16', Uint8Array.from(Buffer.from(right, 'utf16le'))],
    ['random bytes', Uint8Array.from({ length: 256 }, (_, index) => 255 - index)],
  ];
}

/** The fields of a body that have a type, those within objects too. */
export function fieldsOf(document: ApiDocument, schema: Json, path: readonly string[] = []): Field[] {
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

/** A schema without the null that it may allow. */
export function notNull(document: ApiDocument, schema: Json): Json {
  const { anyOf } = schema;
  return anyOf ? document.resolve(anyOf.find(({ type }: Json) => type !== 'null')) : schema;
}

/** The JSON types that a schema allows. */
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

/** Whether a value is of one of `types`: JSON Schema's integer is a number without a fraction. */
const isOneOf = (types: Set<string>, value: Json) =>
  types.has(typeOf(value)) || (types.has('integer') && Number.isInteger(value));

/** A JSON value of none of `types`. */
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

/** `body` with `value` at `path`, without it where that is undefined. */
export function changed(body: Json, [name = '', ...rest]: readonly string[], value: Json): Json {
  return { ...body, [name]: rest.length === 0 ? value : changed(body?.[name] ?? {}, rest, value) };
}

/** `body` with one more field, which JavaScript itself might take for something else. */
function withField(body: Json, name: string, value: Json): string {
  const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return JSON.stringify(body).replace(/^{/, () => `{${field},`);
}
