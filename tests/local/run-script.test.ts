import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MODULE = path.join(import.meta.dirname, '../../scripts/db/run-script.ts');

const INTERRUPTED_TWICE = `
  import { runScript } from ${JSON.stringify(MODULE)};
  const interrupt = () => process.kill(process.pid, 'SIGINT');
  process.once('exit', () => {
    interrupt();
    process.stdout.write('cleaned up');
  });
  runScript(() => new Promise(() => setInterval(interrupt)));`;

test('a script runs its exit handlers when Ctrl-C arrives twice, from the terminal and from npm', async () => {
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', INTERRUPTED_TWICE]);
  await expect(run).rejects.toMatchObject({ code: 1, signal: null, stdout: 'cleaned up' });
});
