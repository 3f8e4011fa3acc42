import { randomUUID } from 'node:crypto';
import { changed, type Field, fieldsOf, notNull } from './bad-bodies.ts';
import type { ApiDocument } from './document.ts';
import type { Json } from './reply.ts';

/** Arguments beyond a limit of one of their fields. */
export interface Excess {
  /** The field and what is wrong with it. */
  readonly name: string;
  readonly field: string;
  readonly value: unknown;
  readonly args: Json;
  /** Too large for an HTTP request: the server refuses it by its size alone. */
  readonly isHuge: boolean;
}

/** Fields that hold the name of a person, a Hub or a file. */
const NAMES = ['fullName', 'displayName', 'name', 'fileName'];

const HUGE = 1024 * 1024;

/**
 * Arguments that break each limit of each field that `schema` documents, one at a time: lengths, counts, ranges, forms,
 * choices, distinct ids and visible text.
 * @param example arguments that are right
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
  if (choices) return [['that is no choice', 'no_choice'], ...hugeText()];
  if (type === 'string') return [...textsBeyond(rest), ...(isName(path) ? unplainNames() : [])];
  if (type === 'integer') return numbersBeyond(rest);
  if (type === 'array') return arraysBeyond(document.resolve(rest.items), rest);
  return [];
}

const isName = (path: readonly string[]) => path.length === 1 && NAMES.includes(path[0] ?? '');

const hugeText = (): Value[] => [['of 1 MiB', 'x'.repeat(HUGE), true]];

function textsBeyond({ minLength = 0, maxLength, pattern, format }: Json): Value[] {
  if (format === 'uuid') return [['that is no id', 'no-uuid'], ...hugeText()];
  if (pattern) return [['of another form', 'Not of this form!'], ['with a NUL', '\u0000'], ...hugeText()];
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
    ['below the least', minimum - 1],
    ['far below the least', -(2 ** 31)],
    ['above the most', maximum + 1],
    ['of 300 digits', 1e300],
    ['between two whole numbers', minimum + 0.5],
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
          ['with no id', ['no-uuid']],
          ['with null', [null]],
        ] satisfies Value[])
      : []),
  ];
}

/** An item of an array, of a number or of a contact. */
function itemOf({ type }: Json): () => unknown {
  let count = 0;
  return () => {
    count += 1;
    const phoneNumber = `+4930${10_000_000 + count}`;
    return type === 'object' ? { name: 'Somebody', phoneNumbers: [] } : phoneNumber;
  };
}
