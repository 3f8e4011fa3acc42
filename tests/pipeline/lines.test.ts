import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { longSql } from '../../scripts/check/lines.ts';

const FILE = 'supabase/schemas/60_votes/02_cast.sql';

/** Returns what the check finds in a repository with this file of SQL. */
function problemsIn(sql: string): Promise<string> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-lines-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(path.dirname(path.join(root, FILE)), { recursive: true });
  writeFileSync(path.join(root, FILE), sql);
  return longSql(root);
}

function functionOf(lineCount: number, name = 'app.cast'): string {
  return `create function ${name}() returns void language sql as $$\n${'\n'.repeat(lineCount - 2)}$$;\n`;
}

test.each([
  ['a line of 120 columns', ` -- ${'ö'.repeat(116)}`, ''],
  ['a line of 121 columns', `\n -- ${'ö'.repeat(117)}`, `${FILE}:2 has more than 120 columns`],
  ['functions of 60 lines', functionOf(60) + functionOf(60), ''],
  ['a function of 61 lines', functionOf(3) + functionOf(61), `${FILE}: app.cast has 61 lines, more than 60`],
  [
    'a body that is parsed at once, of 61 lines',
    `create function app.cast() returns setof app.votes\nbegin atomic${'\n'.repeat(59)}end;`,
    `${FILE}: app.cast has 61 lines, more than 60`,
  ],
  ['a comment before an object of 110 columns', `-- ${'ö'.repeat(107)}`, ''],
  [
    'a comment before an object of 111 columns',
    `-- ${'ö'.repeat(108)}`,
    `${FILE}:1: a comment before an object has more than 110 columns`,
  ],
  [
    'a COMMENT of one sentence in two literals',
    "comment on view app.marks is\n  'What somebody''s marks are (docs/product.md V1. '\n  'V2).';",
    '',
  ],
  [
    'a COMMENT of two sentences',
    "comment on view app.marks is\n  'Marks (docs/product.md V1). '\n  'Definer.';",
    `${FILE}: the COMMENT on view app.marks has more than one sentence; write the rest before the object`,
  ],
  ['a COMMENT of two sentences on a column', "comment on column app.votes.at is 'A time. UTC.';", ''],
  ['a function that may be longer', functionOf(90, 'app.cards_of'), ''],
])('the check of lines finds what is too long in SQL with %s', async (_subject, sql, found) => {
  expect(await problemsIn(sql)).toBe(found);
});
