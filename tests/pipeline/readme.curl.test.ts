import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { readiness, start } from '../local/running.ts';

const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

/** The code blocks of the README. */
const blocks = [...README.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);

test('the commands of the README start Opine and lead from a phone number to a result', async () => {
  const localDir = mkdtempSync(path.join(os.tmpdir(), 'opine-readme-'));
  const run = await start({ LOCAL_DIR: localDir });
  onTestFinished(async () => {
    run.child.kill('SIGTERM');
    await run.ended;
    rmSync(localDir, { recursive: true, force: true });
  });
  const { apiUrl } = await readiness(run, localDir);
  const [startCommands, walk = ''] = blocks;

  expect(startCommands).toBe('npm ci\nnpm start\n');
  const { stdout } = await promisify(execFile)('bash', [
    '-euc',
    walk.replace('http://localhost:8787', apiUrl),
  ]);
  const [feed, code, vote, distribution, second] = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

  expect(feed.data.items).not.toHaveLength(0);
  expect(code.data.phoneNumber).toBe('+12025550102');
  expect(vote.data.summary).toMatchObject({ totalVotes: 1, leftCount: 1 });
  expect(distribution.data.distribution[0]).toEqual({ position: 'strong_left', count: 1 });
  expect(second.error.code).toBe('VOTE_ALREADY_CAST');

  // On the same stack: the demo, and the client's example, which listens until a signal.
  const env = { PATH: process.env.PATH, LOCAL_DIR: localDir, OPINE_URL: apiUrl };
  const demo = await promisify(execFile)(process.execPath, ['scripts/demo.ts', '--fast'], { cwd: ROOT, env });
  expect(demo.stdout).toContain(`Opine at ${apiUrl}\n`);
  const example = spawn(process.execPath, ['clients/typescript/example.ts'], { cwd: ROOT, env });
  const lines: string[] = [];
  for await (const line of createInterface(example.stdout)) {
    lines.push(line);
    if (line.includes('are unread')) example.kill();
  }
  expect(lines[0]).toBe('Signed in as Maya Lindqvist.');
  expect(lines).toContain('Maya Lindqvist: Should the centre be car-free?');
  expect(lines.at(-1)).toMatch(/^\d+ notifications are unread\.$/);
});
