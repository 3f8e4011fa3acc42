import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Code points of the two planes that people write in, without those that Postgres cannot store or does not know. */
async function codePoints(): Promise<string[]> {
  const { rows } = await sql<{ character: string }>`
    select chr(n) as character
    from generate_series(1, 131071) as n
    where n not between 55296 and 57343 and unicode_assigned(chr(n))`.execute(database.superuser);
  return rows.map(({ character }) => character);
}

/** Returns those of the characters for which an expression of `c` is true. */
async function charactersWhere(characters: readonly string[], expression: string): Promise<Set<string>> {
  const { rows } = await sql<{ c: string }>`
    select c from unnest(${characters}::text[]) as c where ${sql.raw(expression)}`.execute(
    database.superuser,
  );
  return new Set(rows.map(({ c }) => c));
}

/** Letters of Latin and Arabic that stand for a letter with a space or a dot. */
const WITH_A_SPACE = /[\u013f\u0140\u037a\ufc5e-\ufc63\ufdfa\ufdfb\ufe70-\ufe7e]/;

// docs/product.md W24, W29
describe('the characters of Unicode', () => {
  test('marks are exactly those of the categories Mn and Me', async () => {
    const characters = await codePoints();
    const marks = await charactersWhere(characters, `c ~ ('[' || app.marks() || ']')`);
    expect([...marks]).toEqual(characters.filter((character) => /[\p{Mn}\p{Me}]/u.test(character)));
  });

  test('a word ends at exactly what is neither letter, mark, digit nor format character', async () => {
    // Scripts without spaces end a Latin word.
    const characters = (await codePoints()).filter(
      (character) =>
        !/[\p{Cs}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}'’‘ʼ՚׳＇\u30fc\u3099\u309a]/u.test(
          character,
        ) && !WITH_A_SPACE.test(character),
    );
    const ends = await charactersWhere(characters, `strpos(app.spaced('a' || c || 'b'), ' ') > 0`);
    // A number that stands for digits, such as ①, is none itself.
    const isPartOfWord = (character: string) =>
      /[\p{L}\p{M}\p{Nd}\p{Nl}\p{Cf}]/u.test(character) ||
      (/\p{No}/u.test(character) && character.normalize('NFKD') === character);
    expect(characters.filter((character) => ends.has(character) === isPartOfWord(character))).toEqual([]);
  });
});

const TEXTS = [
  'ÄRGER über Straße, İstanbul ıslak',
  'trams—always “quoted” love❤️ don’t L’autobus covid-19 77€',
  'Жанна Ершова Ελένη ΟΔΟΣ שָׁלוֹם مُحَمَّد',
  '路面電車に乗る JR電車 2024年 한국어를 ภาษาไทย',
];

// docs/product.md W29
describe.each([
  ['C', `locale 'C'`],
  ['C.UTF-8 of Postgres', `locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'`],
  ['Turkish of ICU', `locale_provider icu icu_locale 'tr' locale 'C'`],
])('in a database with the locale %s', (_, locale) => {
  const name = `words_${Math.random().toString(36).slice(2)}`;
  let client: pg.Client;

  beforeAll(async () => {
    await sql
      .raw(`create database ${name} template template0 encoding 'UTF8' ${locale}`)
      .execute(database.superuser);
    client = new pg.Client({ connectionString: database.superuserUrl.replace(database.name, name) });
    await client.connect();
    await client.query(
      'create schema app; create schema extensions; create extension pg_trgm schema extensions',
    );
    await client.query(
      readFileSync(path.join(SUPABASE_DIRECTORY, 'schemas/10_foundation/09_words.sql'), 'utf8'),
    );
  });

  afterAll(async () => {
    await client.end();
    await sql.raw(`drop database ${name} with (force)`).execute(database.superuser);
  });

  test.each(TEXTS)('the words of "%s" are those of every database', async (text) => {
    const words =
      'select app.word_vector($1)::text as words, app.search_key($1) as key, app.trigram_key(app.search_key($1)) as trigrams';
    const { rows: here } = await client.query(words, [text]);
    const { rows: elsewhere } = await sql<object>`
      select app.word_vector(${text})::text as words, app.search_key(${text}) as key,
        app.trigram_key(app.search_key(${text})) as trigrams`.execute(database.superuser);
    expect(here).toEqual(elsewhere);
  });

  test.each([
    ['жана', 'Жанна Ершова'],
    ['ελενι', 'Ελένη Παππάς'],
    ['שירא', 'שירה כהן'],
    ['김민소', '김민수'],
  ])('%s is similar to %s', async (query, person) => {
    const { rows } = await client.query(
      `select extensions.word_similarity(app.trigram_key(app.search_key($1)), app.trigram_key(app.search_key($2))) as similarity`,
      [query, person],
    );
    expect(rows[0].similarity).toBeGreaterThanOrEqual(0.5);
  });
});
