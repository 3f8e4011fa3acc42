import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';

test('npm run demo without a running stack starts one, prints stream events and pushes, and removes its files', async () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-demos-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts', '--fast'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOCAL_DIR: path.join(directory, 'nothing-runs-here'),
      TMPDIR: directory,
    },
  });

  expect(stdout).toContain('started for this demo');
  for (const line of [
    /→ Nora +stream +user_followed/,
    /→ Nora +push +“You have a new follower.”/,
    /Pia votes again: You have voted on this post already/,
    /→ Idris +stream +hub_join_request_approved/,
    /→ Idris +push +“There is a new post in one of your Hubs.”/,
    /→ Idris +push +“A moderation decision concerns you.”/,
    /Three people, 11 stream events, 11 pushes; Nora has 5 unread notifications/,
  ]) {
    expect(stdout).toMatch(line);
  }
  expect(readdirSync(directory).filter((name) => name.startsWith('opine'))).toEqual([]);
});
