import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { isRunning, killHard, treeOf } from './processes.ts';
import { postmasterOf, readiness, readStack, type Start, start } from './running.ts';

const IS_ROOT = process.getuid?.() === 0;

let base: string;
let localDir: string;
let otherDir: string;
let runs: Start[];

beforeEach(() => {
  // Of mode 700: where root makes it, the user of Postgres cannot enter.
  base = mkdtempSync(path.join(os.tmpdir(), 'opine-start-'));
  localDir = path.join(base, 'local');
  otherDir = path.join(base, 'other');
  runs = [];
});

afterEach(async () => {
  // What a failed test orphaned is no longer below the process that started it.
  const orphans = [localDir, otherDir].flatMap((directory) => readStack(directory)?.pid ?? []);
  const pids = [...runs.flatMap((run) => run.child.pid ?? []), ...orphans];
  for (const pid of pids.flatMap(treeOf)) killHard(pid);
  await Promise.all(runs.map((run) => run.ended));
  rmSync(base, { recursive: true, force: true });
});

describe('a stack', () => {
  test('is ready, keeps its state private, and ends on SIGTERM without leaving a process', async () => {
    const { run, stack } = await startReady();

    expect((await fetch(`${stack.apiUrl}/readyz`)).status).toBe(200);
    expect(statSync(localDir).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(localDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    expect(run.stdout()).toContain(stack.docsUrl);
    expect(run.stdout()).toContain('+12025550101');

    const tree = treeOf(stack.pid);
    expect(tree).toContain(postmasterOf(localDir));
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(0);
    expect(tree.filter(isRunning)).toEqual([]);
    expect(readStack(localDir)).toBeNull();
  });

  test('ends with npm, when that is told to end', async () => {
    const npm = await start({ LOCAL_DIR: localDir }, ['npm', 'start']);
    runs.push(npm);
    const stack = await readiness(npm, localDir);
    const tree = [...treeOf(npm.child.pid ?? 0), stack.pid];

    npm.child.kill('SIGTERM');
    await npm.ended;
    expect(tree.filter(isRunning)).toEqual([]);
    expect(readStack(localDir)).toBeNull();
  });

  test('keeps its data and its sessions over a restart, and is seeded once', async () => {
    const first = await startReady();
    const token = await signIn(first.stack.apiUrl);
    const seededAt = await readSeededAt(first.stack.databaseUrl);
    first.run.child.kill('SIGTERM');
    await first.run.ended;

    const second = await startReady();
    expect(await statusOf(second.stack.apiUrl, token)).toBe(200);
    expect(await readSeededAt(second.stack.databaseUrl)).toEqual(seededAt);
  });

  test('starts again by itself after kill -9 of the whole tree', async () => {
    const first = await startReady();
    const token = await signIn(first.stack.apiUrl);
    for (const pid of treeOf(first.stack.pid)) killHard(pid);
    await first.run.ended;

    const second = await startReady();
    expect(await statusOf(second.stack.apiUrl, token)).toBe(200);
  });

  test('starts again after kill -9 of itself alone, and stops the Postgres left behind', async () => {
    const first = await startReady();
    const left = postmasterOf(localDir) ?? 0;
    killHard(first.stack.pid);
    await first.run.ended;
    expect(isRunning(left)).toBe(true);

    const second = await startReady();
    expect(isRunning(left)).toBe(false);
    expect((await fetch(`${second.stack.apiUrl}/readyz`)).status).toBe(200);
  });

  test('starts again after kill -9 while it was starting', async () => {
    const first = await run({ LOCAL_DIR: localDir });
    const data = path.join(localDir, 'postgres');
    while (statSync(data, { throwIfNoEntry: false }) === undefined) await sleep(5);
    for (const pid of treeOf(first.child.pid ?? 0)) killHard(pid);
    await first.ended;

    const { stack } = await startReady();
    expect((await fetch(`${stack.apiUrl}/readyz`)).status).toBe(200);
  });

  test('runs beside another with its own LOCAL_DIR and PORT, but not twice on one LOCAL_DIR', async () => {
    const [one, other] = await Promise.all([startReady(), startReady(otherDir)]);
    expect((await fetch(`${one.stack.apiUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${other.stack.apiUrl}/readyz`)).status).toBe(200);
    expect(one.stack.databaseUrl).not.toBe(other.stack.databaseUrl);

    const refused = await refusal({ LOCAL_DIR: localDir });
    expect(refused).toContain(`process ${one.stack.pid}`);
    expect((await fetch(`${one.stack.apiUrl}/readyz`)).status).toBe(200);
    expect(readStack(localDir)).toEqual(one.stack);
  });

  test('ends with one line when its Postgres dies', async () => {
    const { run, stack } = await startReady();
    const tree = treeOf(stack.pid);
    killHard(postmasterOf(localDir) ?? 0);

    const { code, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^opine: Postgres ended by itself.*\n$/);
    expect(tree.filter(isRunning)).toEqual([]);
  });

  test.runIf(IS_ROOT)(
    'started by root, runs Postgres as another user where that user may not enter',
    async () => {
      expect(statSync(base).mode & 0o777).toBe(0o700);
      expect(statSync(base).uid).toBe(0);
      await startReady();
      expect(statSync(`/proc/${postmasterOf(localDir)}`).uid).not.toBe(0);
    },
  );
});

describe('a start that cannot succeed says why in one line, ends with 1 and leaves nothing running', () => {
  test('taken port', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    try {
      expect(await refusal({ LOCAL_DIR: localDir, PORT: port })).toContain(`PORT ${port} is taken`);
    } finally {
      server.close();
    }
    expect(statSync(path.join(localDir, 'postgres'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('LOCAL_DIR that cannot be made', async () => {
    writeFileSync(path.join(base, 'file'), '');
    const directory = path.join(base, 'file', 'local');
    expect(await refusal({ LOCAL_DIR: directory })).toContain(`LOCAL_DIR ${directory} cannot be written`);
  });

  test('wrong variables, every one named', async () => {
    const line = await refusal({
      LOCAL_DIR: localDir,
      PORT: '80a',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
    });
    expect(line).toMatch(/PORT.*LOG_LEVEL.*DATABASE_URL|DATABASE_URL/);
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL']) expect(line).toContain(name);
  });

  test('production', async () => {
    expect(await refusal({ LOCAL_DIR: localDir, NODE_ENV: 'production' })).toContain('NODE_ENV');
    expect(statSync(localDir, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a part that fails after Postgres runs', async () => {
    mkdirSync(localDir);
    writeFileSync(path.join(localDir, 'storage'), '');
    const ending = await (await run({ LOCAL_DIR: localDir })).ended;
    expect(ending.code).toBe(1);
    expect(statSync(path.join(localDir, 'postgres/data/PG_VERSION')).isFile()).toBe(true);
    expect(postmasterOf(localDir)).toBeNull();
  });
});

async function run(environment: Record<string, string>): Promise<Start> {
  const started = await start(environment);
  runs.push(started);
  return started;
}

async function startReady(directory = localDir) {
  const started = await run({ LOCAL_DIR: directory });
  return { run: started, stack: await readiness(started, directory) };
}

async function refusal(environment: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await (await run(environment)).ended;
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^opine: .*\n$/);
  return stderr;
}

async function signIn(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/api/v1/auth/anonymous/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ deviceId: 'a-device-of-this-test' }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string } };
  return data.accessToken;
}

async function statusOf(apiUrl: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${apiUrl}/api/v1/users/me/onboarding/status`, { headers })).status;
}

function readSeededAt(databaseUrl: string): Promise<Date> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('select seeded_at from embedded.stack');
    return rows[0]?.seeded_at;
  });
}
