import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { isRunning, killHard, treeOf } from './processes.ts';
import { postmasterOf, readiness, readStack, type Start, start } from './running.ts';

const IS_ROOT = process.getuid?.() === 0;

/** What a stack left behind that began on nothing and was told to end. */
let former: string;
let formerLife: Awaited<ReturnType<typeof aWholeLife>>;
let base: string;
let localDir: string;
let otherDir: string;
let runs: Start[] = [];

beforeAll(async () => {
  // Of mode 700: where root makes it, the user of Postgres cannot enter.
  former = mkdtempSync(path.join(os.tmpdir(), 'opine-former-'));
  formerLife = await aWholeLife(path.join(former, 'local'));
});

afterAll(async () => {
  await endAll([path.join(former, 'local')]);
  rmSync(former, { recursive: true, force: true });
});

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'opine-start-'));
  localDir = path.join(base, 'local');
  otherDir = path.join(base, 'other');
  runs = [];
});

afterEach(async () => {
  await endAll([localDir, otherDir]);
  rmSync(base, { recursive: true, force: true });
});

describe('a stack', () => {
  test('is ready, keeps its state private, and ends on SIGTERM without leaving a process', () => {
    expect(formerLife).toMatchObject({
      readyStatus: 200,
      directoryMode: 0o700,
      secretsMode: 0o600,
      hasPostgres: true,
      code: 0,
      left: [],
      stackLeft: null,
    });
    expect(formerLife.stdout).toContain(formerLife.docsUrl);
    expect(formerLife.stdout).toContain('+12025550101');
  });

  test.runIf(IS_ROOT)('started by root, runs Postgres as another user where that user may not enter', () => {
    expect(statSync(former).mode & 0o777).toBe(0o700);
    expect(statSync(former).uid).toBe(0);
    expect(formerLife.postgresUser).toBeGreaterThan(0);
  });

  test('ends with npm, and cleanly where a terminal has told both and npm passes it on', async () => {
    takeUpFrom(former, localDir);
    const npm = await start({ LOCAL_DIR: localDir }, ['npm', 'start']);
    runs.push(npm);
    const stack = await readiness(npm, localDir);
    const tree = [...treeOf(npm.child.pid ?? 0), stack.pid];

    process.kill(stack.pid, 'SIGINT');
    npm.child.kill('SIGTERM');
    expect(await npm.ended).toMatchObject({ code: 0 });
    expect(tree.filter(isRunning)).toEqual([]);
    expect(readStack(localDir)).toBeNull();
  });

  test('keeps its data and its sessions over a restart, and is seeded once', async () => {
    const first = await startAgain();
    const token = await signIn(first.stack.apiUrl);
    const seededAt = await readSeededAt(first.stack.databaseUrl);
    expect(seededAt).toBeInstanceOf(Date);
    first.run.child.kill('SIGTERM');
    await first.run.ended;

    const second = await startReady();
    expect(await statusOf(second.stack.apiUrl, token)).toBe(200);
    expect(await readSeededAt(second.stack.databaseUrl)).toEqual(seededAt);
  });

  test('starts again by itself after kill -9 of the whole tree', async () => {
    const first = await startAgain();
    const token = await signIn(first.stack.apiUrl);
    for (const pid of treeOf(first.stack.pid)) killHard(pid);
    await first.run.ended;

    const second = await startReady();
    expect(await statusOf(second.stack.apiUrl, token)).toBe(200);
  });

  test('starts again after kill -9 of itself alone, and stops the Postgres left behind', async () => {
    const first = await startAgain();
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
    // One of the first files of a cluster: most of it is still to be made.
    while (globSync(path.join(localDir, 'postgres/*/PG_VERSION')).length === 0) await sleep(5);
    for (const pid of treeOf(first.child.pid ?? 0)) killHard(pid);
    await first.ended;

    const { stack } = await startReady();
    expect((await fetch(`${stack.apiUrl}/readyz`)).status).toBe(200);
  });

  test('runs beside another with its own LOCAL_DIR and PORT, but not twice on one LOCAL_DIR', async () => {
    const [one, other] = await Promise.all([startAgain(), startAgain(otherDir)]);
    expect((await fetch(`${one.stack.apiUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${other.stack.apiUrl}/readyz`)).status).toBe(200);
    expect(one.stack.databaseUrl).not.toBe(other.stack.databaseUrl);

    const refused = await refusal({ LOCAL_DIR: localDir });
    expect(refused).toContain(`process ${one.stack.pid}`);
    expect((await fetch(`${one.stack.apiUrl}/readyz`)).status).toBe(200);
    expect(readStack(localDir)).toEqual(one.stack);
  });

  test('ends with one line when its Postgres dies', async () => {
    const { run, stack } = await startAgain();
    const tree = treeOf(stack.pid);
    killHard(postmasterOf(localDir) ?? 0);

    const { code, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^opine: Postgres ended by itself.*\n$/);
    expect(tree.filter(isRunning)).toEqual([]);
  });
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
    takeUpFrom(former, localDir);
    const log = path.join(localDir, 'postgres/postgres.log');
    rmSync(log);
    rmSync(path.join(localDir, 'storage'), { recursive: true });
    writeFileSync(path.join(localDir, 'storage'), '');
    await refusal({ LOCAL_DIR: localDir });
    expect(readFileSync(log, 'utf8')).toContain('ready to accept connections');
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

/** Starts on a copy of what the former stack left: all but the making of the database. */
function startAgain(directory = localDir) {
  takeUpFrom(former, directory);
  return startReady(directory);
}

function takeUpFrom(parent: string, directory: string): void {
  // With its owners and modes, which node's own copy leaves behind.
  execFileSync('cp', ['-pR', path.join(parent, 'local'), directory]);
}

/** The first start on a directory, until it has ended on SIGTERM, and what was to be seen of it. */
async function aWholeLife(directory: string) {
  const { run, stack } = await startReady(directory);
  const readyStatus = (await fetch(`${stack.apiUrl}/readyz`)).status;
  const postmaster = postmasterOf(directory) ?? 0;
  const tree = treeOf(stack.pid);
  const life = {
    readyStatus,
    directoryMode: statSync(directory).mode & 0o777,
    secretsMode: statSync(path.join(directory, 'secrets.json')).mode & 0o777,
    hasPostgres: tree.includes(postmaster),
    postgresUser: statSync(`/proc/${postmaster}`, { throwIfNoEntry: false })?.uid,
    stdout: run.stdout(),
    docsUrl: stack.docsUrl,
  };
  run.child.kill('SIGTERM');
  const { code } = await run.ended;
  return { ...life, code, left: tree.filter(isRunning), stackLeft: readStack(directory) };
}

/** Ends what runs of the starts of a test, and what a failed one orphaned: that is no longer below who started it. */
async function endAll(directories: readonly string[]): Promise<void> {
  const orphans = directories.flatMap((directory) => readStack(directory)?.pid ?? []);
  const pids = [...runs.flatMap((run) => run.child.pid ?? []), ...orphans];
  for (const pid of pids.flatMap(treeOf)) killHard(pid);
  await Promise.all(runs.map((run) => run.ended));
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
