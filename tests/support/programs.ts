import { readdirSync } from 'node:fs';
import path from 'node:path';
import { findProgram, missing, PROGRAMS } from '../../scripts/find-program.ts';

/**
 * Returns the test files whose program (`<subject>.<program>.test.ts`) is not installed, and logs a line for each.
 * @throws Error in CI, which has every program
 */
export function filesWithoutProgram(): string[] {
  const files = readdirSync(path.join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' });
  const absent = PROGRAMS.filter((program) => findProgram(program) === null);
  const skipped = files.flatMap((file) => {
    const needed = absent.filter((program) => file.includes(`.${program}.`) && file.endsWith('.test.ts'));
    return needed.length > 0 ? [{ file: path.join('tests', file), reason: missing(needed) }] : [];
  });
  const lines = skipped.map(({ file, reason }) => `skipped ${file}: ${reason}\n`).join('');
  if (process.env.CI === 'true' && lines !== '') throw new Error(lines);
  process.stderr.write(lines);
  return skipped.map(({ file }) => file);
}
