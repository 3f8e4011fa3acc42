import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const LINE_WRITER = path.join(import.meta.dirname, '../../src/line-writer.ts');

test.each([
  ['that goes on', `setImmediate(() => write('c\\n'));`, 0],
  ['that exits', `write('c\\n'); process.exit(3);`, 3],
  ['that crashes', `write('c\\n'); throw new Error('A bug.');`, 1],
])('a process %s writes every line in order', (_title, rest, status) => {
  const program = `
    const { createLineWriter } = await import(${JSON.stringify(LINE_WRITER)});
    const write = createLineWriter();
    write('a\\n');
    write('b\\n');
    ${rest}`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(ended).toMatchObject({ status, stdout: 'a\nb\nc\n' });
});
