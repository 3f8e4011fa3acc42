import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

test('the demo plays on a stack of its own, tells what reached whom, and leaves nothing', async () => {
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
    /Three people, 9 stream events, 9 pushes; 5 notifications wait for Nora/,
  ]) {
    expect(stdout).toMatch(line);
  }
  expect(readdirSync(directory).filter((name) => name.startsWith('opine'))).toEqual([]);
});
