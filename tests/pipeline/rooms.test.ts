import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { misplaced } from '../../scripts/check/rooms.ts';

const POSTS = 'supabase/schemas/50_posts/01_tables.sql';
const VOTES = 'supabase/schemas/60_votes/01_tables.sql';
const ROWS = 'src/domains/votes/operations.ts';

/** Returns the lines of the check for a repository with these files. */
async function problems(files: Record<string, string>): Promise<string[]> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'opine-rooms-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return (await misplaced(root)).split('\n').filter((line) => line !== '');
}

/** Returns the row of an operation as files of `src/domains` have it. */
function rowOf(id: string): string {
  return `export const rows = [\n  {\n    id: '${id}',\n    method: 'post',\n  },\n];\n`;
}

test('the check of rooms accepts uses of earlier folders, and of later ones in comments', async () => {
  const files = {
    [POSTS]: `create table app.posts ();\n-- Votes are in app.votes.\ncomment on table app.posts is 'It''s what '\n  'app.votes counts.';`,
    [VOTES]:
      'create table app.votes (post_id uuid references app.posts (id));\ncreate function api.cast_vote() …;',
    [ROWS]: rowOf('cast_vote'),
  };
  expect(await problems(files)).toEqual([]);
});

test('the check of rooms names a use of a later folder once for each file', async () => {
  const use =
    'create function app.count() returns void\nas $$ delete from app.votes; delete from app.votes $$;';
  const files = { [POSTS]: use, [VOTES]: 'create table app.votes ();' };
  expect(await problems(files)).toEqual([`${POSTS} uses app.votes, which ${VOTES} creates later`]);
});

test.each(['api', 'staff'])(
  'the check of rooms names an operation whose function in %s lies in another domain',
  async (schema) => {
    const files = { [POSTS]: `create function ${schema}.cast_vote() …;`, [ROWS]: rowOf('cast_vote') };
    expect(await problems(files)).toEqual([`${ROWS} has cast_vote, which ${POSTS} creates`]);
  },
);
