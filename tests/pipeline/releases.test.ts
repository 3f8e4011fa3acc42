import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changedReleases } from '../../scripts/db/releases.ts';
import { copySupabase } from './supabase-copy.ts';

const RELEASED = '20260101000000_part.sql';

/** Releases the migration of a copy, and changes the copy. Returns what the check finds. */
function problemsAfter(change: (copy: ReturnType<typeof copySupabase>) => void): Promise<string> {
  const copy = copySupabase();
  copy.release('1.0.0');
  change(copy);
  return changedReleases(copy.directory);
}

test('the check of releases accepts later migrations', async () => {
  expect(await problemsAfter(({ write }) => write('migrations/20260101000001_next.sql', ''))).toBe('');
});

test.each([
  [
    'a released migration that was changed',
    ({ write }) => write(`migrations/${RELEASED}`, 'select 1;'),
    `${RELEASED} is not as version 1.0.0 has it: databases out there do not change`,
  ],
  [
    'a released migration that is gone',
    ({ directory }) => rmSync(path.join(directory, 'migrations', RELEASED)),
    `${RELEASED} is not as version 1.0.0 has it: databases out there do not change`,
  ],
  [
    'a migration that would be applied before a released one',
    ({ write }) => write('migrations/20251231000000_early.sql', ''),
    `20251231000000_early.sql would be applied before ${RELEASED}, which is released`,
  ],
] as [string, Parameters<typeof problemsAfter>[0], string][])(
  'the check of releases names %s',
  async (_problem, change, line) => {
    expect(await problemsAfter(change)).toBe(line);
  },
);
