import fc from 'fast-check';
import { formerCursorOf, plainCursorOf } from '../../support/cursors.ts';

const [ACUTE, GRAVE_BELOW, CEDILLA] = ['\u0301', '\u0316', '\u0327'];

/** Texts that are costly to normalise, invisible, or shown otherwise than they are. */
const MARKS = [
  `a${ACUTE.repeat(10_000)}`,
  `a${ACUTE.repeat(9999)}`,
  `a${(ACUTE + GRAVE_BELOW).repeat(4999)}`,
  ACUTE.repeat(1999),
  `a${(ACUTE + GRAVE_BELOW).repeat(999)}`,
  `a${(ACUTE + GRAVE_BELOW).repeat(39)}`,
  `e${(ACUTE + CEDILLA + GRAVE_BELOW).repeat(26)}`,
  `${'o\u0308\u0323'.repeat(26)}`,
  'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319\u0324\u031e\u0349\u035a\u032f\u031e\u0320\u034dA\u036b\u0357\u0334\u0362\u0335\u031c\u0330\u0354',
  '\ufdfa'.repeat(80),
  '\u1100\u1161\u11a8'.repeat(26),
  '\u0344'.repeat(79),
];

/** Operators of Postgres's text search, of LIKE and of regular expressions, and quotes. */
const OPERATORS = [
  '-'.repeat(80),
  '-'.repeat(33),
  "'".repeat(80),
  '"'.repeat(79),
  '& | ! <-> <2> :* ( )',
  'tram & ! (harbour | choir:*A) <-> sings',
  '('.repeat(80),
  '!'.repeat(80),
  'a:*b:*',
  '<->'.repeat(26),
  '\\'.repeat(80),
  '%_%\\%',
  '.*+?^$|()[]{}\\',
  "'; select pg_sleep(1); --",
  '$$ $1 $2',
  '/'.repeat(80),
  '@'.repeat(80),
  "a'b\u2019c\u02bcd\uff07e\u055af",
];

const PICTOGRAPHS = [
  '👩‍👩‍👧‍👦'.repeat(11),
  '🏳️‍🌈🇩🇪👋🏽',
  '\ufe0f'.repeat(80),
  '❤️'.repeat(40),
  '\u{e0067}\u{e0062}',
  '\u200d'.repeat(80),
  '電車に乗る'.repeat(16),
  'ภาษาไทย'.repeat(11),
];

/** Texts that are no text, or no plain one. */
const BROKEN = [
  '\u0000',
  '\ud800',
  'a\udfffb',
  '\uffff\ufffe\ufdd0',
  '\ue000\u{f0000}',
  '\u202eabc',
  '\u0007\u001b[31m',
  ' \u2003\u3164',
  '',
  '../../../etc/passwd',
  'http://',
  'https://user:pass@[::1]:99999/\\',
  'javascript:alert(1)',
  '__proto__',
];

const NUMBERS: readonly (number | string)[] = [
  -1,
  0,
  1.5,
  -0.0,
  2 ** 31,
  -(2 ** 63),
  2 ** 53 + 2,
  1e300,
  '9'.repeat(400),
  '-9223372036854775809',
  '1e308',
  'NaN',
  'Infinity',
  '-infinity',
  '0x10',
  '٤٢',
];

const TIMES = [
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '294277-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '4714-11-23 BC',
  'infinity',
  '2026-02-30T25:61:61Z',
  '24:00',
  'Mars/Olympus',
];

const PLACEHOLDERS = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '01990000-0000-7000-8000-00000000dead',
  'unknown',
  'undefined',
  'null',
  '{postId}',
  '+10000000000',
  'tel:+1\u2011202\u00a0555\u00ad0100',
];

const LATER = new Date('2099-01-01T00:00:00Z');
const place = (part: string) => ({ at: LATER, beganAt: LATER, seen: '999999999:999999999:', part });

/** Cursors in the formats of earlier versions and without their seal. */
export const FORGED_CURSORS: readonly string[] = [
  ...['active', 'quiet', 'recent'].flatMap((part) => [
    formerCursorOf({ ...place(part), feed: 'home' }),
    plainCursorOf(place(part)),
  ]),
  Buffer.from('[1, "maya", "01900000-0000-7000-8000-0000000000b1"]').toString('base64url'),
  Buffer.from('null').toString('base64url'),
  'A'.repeat(4000),
  'A'.repeat(22),
  'a',
];

/** Texts that each field should meet once. */
export const ODD_TEXTS: readonly string[] = [...MARKS, ...OPERATORS, ...PICTOGRAPHS, ...BROKEN, ...TIMES];

const texts = fc.constantFrom(...ODD_TEXTS, ...PLACEHOLDERS);

/** Generates texts: odd ones, pieces of them together, and arbitrary characters. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 2, arbitrary: fc.array(texts, { minLength: 2, maxLength: 4 }).map((all) => all.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 90 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 90 }) },
);

/** Generates JSON values. */
export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: oddTexts },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...NUMBERS) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 2, arbitrary: fc.array(oddTexts, { maxLength: 5 }) },
);

/** Generates texts of a path or a query. */
export const oddParameters: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: oddTexts.map((text) => Array.from(text).slice(0, 200).join('')) },
  { weight: 1, arbitrary: fc.constantFrom(...NUMBERS).map(String) },
);

/** Characters that are percent-encoded as UTF-8, which no lone surrogate can be. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Encodes a text as UTF-8 in a header, whose characters are bytes; without the bytes that no client can send. */
export function inHeader(text: string): string {
  const bytes = Buffer.from(text.toWellFormed()).toString('latin1');
  return Array.from(bytes)
    .filter((character) => character === '\t' || (character >= ' ' && character !== '\u007f'))
    .slice(0, 3000)
    .join('');
}
