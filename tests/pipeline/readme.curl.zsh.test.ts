import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { readiness, start } from '../local/running.ts';
import { paste } from './terminal.ts';

const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

/** The code blocks of the README. */
const blocks = [...README.matchAll(/^```sh\n(.*?)^```/gms)].map(([, commands = '']) => commands);

const [startCommands, ...walk] = blocks;
let localDir: string;
let run: Awaited<ReturnType<typeof start>>;
let apiUrl: string;
let databaseUrl: string;

beforeAll(async () => {
  localDir = mkdtempSync(path.join(os.tmpdir(), 'opine-readme-'));
  run = await start({ LOCAL_DIR: localDir });
  ({ apiUrl, databaseUrl } = await readiness(run, localDir));
});

afterAll(async () => {
  run?.child.kill('SIGTERM');
  await run?.ended;
  rmSync(localDir, { recursive: true, force: true });
});

test('the first block of the README installs and starts Opine', () => {
  expect(startCommands).toBe('npm ci\nnpm start\n');
});

describe.each([
  ['bash', true],
  ['bash', false],
  ['zsh', true],
  ['zsh', false],
] as const)('pasted into %s, with brackets: %s', (shell, isBracketed) => {
  test('the blocks of the README lead from a phone number to a result', async () => {
    const commands = walk.map((block) => block.replace('http://localhost:8787', apiUrl));
    const lines = await paste(shell, commands, isBracketed);
    expect(lines.filter((line) => /not found|no matches|parse error|quote>|syntax error/.test(line))).toEqual(
      [],
    );
    const answers = lines.filter((line) => line.startsWith('{"success"')).map((line) => JSON.parse(line));
    const [feed, code, vote, distribution, second, discussions, invitations, share, comment, trending] =
      answers;
    expect(feed.data.items).not.toHaveLength(0);
    expect(code.data.phoneNumber).toBe('+12025550102');
    expect(vote.data.summary).toMatchObject({ totalVotes: 1, leftCount: 1 });
    expect(distribution.data.distribution[0]).toEqual({ position: 'strong_left', count: 1 });
    expect(second.error.code).toBe('VOTE_ALREADY_CAST');
    expect([discussions, invitations, share, comment, trending].map(({ success }) => success)).toEqual(
      Array(5).fill(true),
    );
  });
});

/** Counts what waits for staff. */
function countOpen(): Promise<object> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::integer from app.reports where state = 'open') as reports,
        (select count(*)::integer from app.appeals where state = 'open') as appeals`,
    );
    return rows[0];
  });
}

test('the demo, which leaves a report and an appeal to staff, and the example of the client run on the same stack', async () => {
  const env = { PATH: process.env.PATH, LOCAL_DIR: localDir, OPINE_URL: apiUrl };
  const demo = await promisify(execFile)(process.execPath, ['scripts/demo.ts', '--fast'], { cwd: ROOT, env });
  expect(demo.stdout).toContain(`Opine at ${apiUrl}\n`);
  expect(await countOpen()).toEqual({ reports: 1, appeals: 1 });
  const example = spawn(process.execPath, ['scripts/example.ts'], { cwd: ROOT, env });
  const lines: string[] = [];
  // It listens until a signal.
  for await (const line of createInterface(example.stdout)) {
    lines.push(line);
    if (line.includes('are unread')) example.kill();
  }
  expect(lines[0]).toBe('Signed in as Maya Lindqvist.');
  expect(lines).toContain('Maya Lindqvist: Should the centre be car-free?');
  expect(lines.at(-1)).toMatch(/^\d+ notifications are unread\.$/);
});
