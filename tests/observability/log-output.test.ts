import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const LOG_OUTPUT = path.join(import.meta.dirname, '../../src/log-output.ts');

test.each([
  ['running', `setImmediate(() => write('c\\n'));`, 0],
  ['exiting', `write('c\\n'); process.exit(3);`, 3],
  ['crashing', `write('c\\n'); throw new Error('A bug.');`, 1],
])('a process that is %s writes every line in order', (_title, rest, status) => {
  const program = `
    const { createLogOutput } = await import(${JSON.stringify(LOG_OUTPUT)});
    const write = createLogOutput();
    write('a\\n');
    write('b\\n');
    ${rest}`;
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(ended).toMatchObject({ status, stdout: 'a\nb\nc\n' });
});
