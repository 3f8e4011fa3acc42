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

const sliderText = 'Is this so?';

/** The texts of a post: limit, path and a body with the text. */
const FIELDS: readonly [limit: number, path: readonly string[], body: (text: string) => object][] = [
  [2000, ['thoughtText'], (thoughtText) => ({ thoughtText })],
  [260, ['sliderText'], (text) => ({ sliderText: text })],
  [40, ['slider', 'leftLabel'], (leftLabel) => ({ sliderText, slider: { leftLabel, rightLabel: 'Yes' } })],
  [40, ['slider', 'rightLabel'], (rightLabel) => ({ sliderText, slider: { leftLabel: 'No', rightLabel } })],
  [300, ['article', 'title'], (title) => ({ article: { title } })],
  [10_000, ['article', 'text'], (text) => ({ article: { text } })],
];

const at = (post: Json, path: readonly string[]) => path.reduce((value, key) => value[key], post);

// docs/product.md W25
test.each(FIELDS)(
  'a text of %i code points in %j is accepted and trimmed, and one more is refused',
  async (limit, path, body) => {
    const full = '👍'.repeat(limit);
    const { status, data } = await publish(amara, body(` \n\t${full}\u00a0\u3000 `));
    expect([status, at(data, path)]).toEqual([201, full]);
    const refused = refusal(422, 'VALIDATION_FAILED', { issues: [{ path }] });
    for (const text of [`${full}👍`, 'a'.repeat(limit + 1), ' '])
      expect(await publish(amara, body(text))).toMatchObject(refused);
  },
);

describe('the text of a thought', () => {
  // docs/product.md W24
  test.each([
    ...['', ' ', '\n\t ', '\u00a0\u2003\u3000\ufeff'],
    ...['\u200b\u200b', '\u00ad\u2060', '\u0301\u20dd', '\u202e\u202c'],
    ...['a\u0000b', '\u0000', 'a\ud800b', '\udfff'],
  ])(
    'a text without visible characters, with a NUL or with a lone surrogate is refused: %j',
    async (thoughtText) => {
      expect(await publish(amara, { thoughtText })).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    },
  );

  test.each([
    'Größe, ñandú, 日本語, עברית, 👩‍👩‍👧‍👦',
    `it's "quoted" \\ and -- ; drop`,
    '<b>bold</b> &amp; {{x}} $1 %s',
    'line\nbreak\ttab\u0007bell',
    '\u202eright to left',
  ])('a text is answered unchanged: %j', async (thoughtText) => {
    expect((await publish(amara, { thoughtText })).data.thoughtText).toBe(thoughtText);
  });
});
