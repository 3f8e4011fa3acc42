import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person } from '../support/people.ts';
import { publish } from '../support/posts.ts';

let opine: Opine;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
});

afterAll(() => opine.stop());

interface Field {
  readonly name: string;
  readonly limit: number;
  readonly path: readonly string[];
  /** Returns the body of a post with `text` in this field. */
  with(text: string): object;
}

const sliderText = 'Is this so?';

const FIELDS: readonly Field[] = [
  { name: 'a thought', limit: 2000, path: ['thoughtText'], with: (thoughtText) => ({ thoughtText }) },
  { name: 'a slider text', limit: 260, path: ['sliderText'], with: (text) => ({ sliderText: text }) },
  {
    name: 'a left slider label',
    limit: 40,
    path: ['slider', 'leftLabel'],
    with: (leftLabel) => ({ sliderText, slider: { leftLabel, rightLabel: 'Yes' } }),
  },
  {
    name: 'a right slider label',
    limit: 40,
    path: ['slider', 'rightLabel'],
    with: (rightLabel) => ({ sliderText, slider: { leftLabel: 'No', rightLabel } }),
  },
  {
    name: 'an article title',
    limit: 300,
    path: ['article', 'title'],
    with: (title) => ({ article: { title } }),
  },
  {
    name: 'an article text',
    limit: 10_000,
    path: ['article', 'text'],
    with: (text) => ({ article: { text } }),
  },
];

const at = (post: Json, path: readonly string[]) => path.reduce((value, key) => value[key], post);

describe.for(FIELDS)('$name', (field) => {
  const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: field.path }] });

  test('a text of exactly the limit in code points is accepted, and one more is refused', async () => {
    const full = '👍'.repeat(field.limit);
    const { status, data } = await publish(amara, field.with(full));
    expect(status).toBe(201);
    expect(at(data, field.path)).toBe(full);
    expect(await publish(amara, field.with(`${full}👍`))).toMatchObject(refused);
    expect(await publish(amara, field.with(`${'a'.repeat(field.limit)}b`))).toMatchObject(refused);
  });

  test('surrounding white space is trimmed and does not count towards the limit', async () => {
    const full = `a ${'é'.repeat(field.limit - 4)} z`;
    const { data } = await publish(amara, field.with(` \n\t${full}\u00a0\u3000 `));
    expect(at(data, field.path)).toBe(full);
  });

  test.each([
    ...['', ' ', '\n\t ', '\u00a0\u2003\u3000\ufeff'],
    ...['\u200b\u200b', '\u00ad\u2060', '\u0301\u20dd', '\u202e\u202c'],
    ...['a\u0000b', '\u0000', 'a\ud800b', '\udfff'],
  ])(
    'a text without visible characters, with a NUL or with a lone surrogate is refused: %j',
    async (text) => {
      expect(await publish(amara, field.with(text))).toMatchObject(refused);
    },
  );

  test.each([
    'Größe, ñandú, 日本語, עברית, 👩‍👩‍👧‍👦',
    `it's "quoted" \\ and -- ; drop`,
    '<b>bold</b> &amp; {{x}} $1 %s',
    'line\nbreak\ttab\u0007bell',
    '\u202eright to left',
  ])('a text is answered unchanged: %j', async (text) => {
    const given = text.slice(0, field.limit);
    expect(at((await publish(amara, field.with(given))).data, field.path)).toBe(given);
  });
});
