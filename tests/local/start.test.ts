import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { readStack } from '../../scripts/local/state.ts';
import { clientOf } from '../support/client.ts';
import { isRunning, killHard, postmasterOf, readiness, type Start, start, treeOf } from './running.ts';

const IS_ROOT = process.getuid?.() === 0;

/** The directory of a stack that has started from nothing and ended. */
let former: string;
let formerRun: Awaited<ReturnType<typeof runOnce>>;
let base: string;
let localDir: string;
let otherDir: string;
let runs: Start[] = [];

beforeAll(async () => {
  // It has mode 700: under root, the user of Postgres has no access.
  former = mkdtempSync(path.join(os.tmpdir(), 'opine-former-'));
  formerRun = await runOnce(path.join(former, 'local'));
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

describe('npm start', () => {
  // docs/product.md R1, R2
  test('becomes ready, keeps its state private, and leaves no process after SIGTERM', () => {
    expect(formerRun).toMatchObject({
      readyStatus: 200,
      directoryMode: 0o700,
      secretsMode: 0o600,
      hasPostgres: true,
      code: 0,
      left: [],
      stackLeft: null,
    });
    expect(formerRun.stdout).toContain(formerRun.docsUrl);
    expect(formerRun.stdout).toContain('+12025550101');
    expect(formerRun.stdout).toMatch(/^ {2}Staff +http:\S+\/admin \(one click signs in/m);
  });

  // docs/product.md R1, R7, I9
  test('a demo phone has its next code at once', () => {
    expect(formerRun.codes).toEqual([
      [200, 0],
      [200, 0],
    ]);
  });

  test.runIf(IS_ROOT)('as root runs Postgres as another user without access to the directory', () => {
    expect(statSync(former).mode & 0o777).toBe(0o700);
    expect(statSync(former).uid).toBe(0);
    expect(formerRun.postgresUser).toBeGreaterThan(0);
  });

  test('ends cleanly with npm after a signal from the terminal and a second one from npm', async () => {
    copyFormer(localDir);
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

  test('keeps data and sessions over a restart, and seeds once', async () => {
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

  test('starts again after kill -9 of the whole process tree', async () => {
    const first = await startAgain();
    const token = await signIn(first.stack.apiUrl);
    for (const pid of treeOf(first.stack.pid)) killHard(pid);
    await first.run.ended;

    const second = await startReady();
    expect(await statusOf(second.stack.apiUrl, token)).toBe(200);
  });

  test('starts again after kill -9 of its process alone, and stops the orphaned Postgres', async () => {
    const first = await startAgain();
    const orphan = postmasterOf(localDir) ?? 0;
    killHard(first.stack.pid);
    await first.run.ended;
    expect(isRunning(orphan)).toBe(true);

    const second = await startReady();
    expect(isRunning(orphan)).toBe(false);
    expect((await fetch(`${second.stack.apiUrl}/readyz`)).status).toBe(200);
  });

  test('starts again after kill -9 during its first start', async () => {
    const first = await run({ LOCAL_DIR: localDir });
    // initdb writes PG_VERSION among its first files.
    while (globSync(path.join(localDir, 'postgres/*/PG_VERSION')).length === 0) await sleep(5);
    for (const pid of treeOf(first.child.pid ?? 0)) killHard(pid);
    await first.ended;

    const { stack } = await startReady();
    expect((await fetch(`${stack.apiUrl}/readyz`)).status).toBe(200);
  });

  // docs/product.md R1
  test('runs beside another stack with its own LOCAL_DIR and PORT, and refuses a LOCAL_DIR in use', async () => {
    const [one, other] = await Promise.all([startAgain(), startAgain(otherDir)]);
    expect((await fetch(`${one.stack.apiUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${other.stack.apiUrl}/readyz`)).status).toBe(200);
    expect(one.stack.databaseUrl).not.toBe(other.stack.databaseUrl);

    const refused = await errorLine({ LOCAL_DIR: localDir });
    expect(refused).toContain(`process ${one.stack.pid}`);
    expect((await fetch(`${one.stack.apiUrl}/readyz`)).status).toBe(200);
    expect(readStack(localDir)).toEqual(one.stack);
  });

  test('ends with a one-line error when its Postgres dies', async () => {
    const { run, stack } = await startAgain();
    const tree = treeOf(stack.pid);
    killHard(postmasterOf(localDir) ?? 0);

    const { code, stderr } = await run.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^opine: Postgres ended by itself.*\n$/);
    expect(tree.filter(isRunning)).toEqual([]);
  });
});

describe('npm start prints a one-line error, exits with 1 and leaves no process', () => {
  test('if PORT is taken', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    try {
      expect(await errorLine({ LOCAL_DIR: localDir, PORT: port })).toContain(`PORT ${port} is taken`);
    } finally {
      server.close();
    }
    expect(statSync(path.join(localDir, 'postgres'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('if it cannot create LOCAL_DIR', async () => {
    writeFileSync(path.join(base, 'file'), '');
    const directory = path.join(base, 'file', 'local');
    expect(await errorLine({ LOCAL_DIR: directory })).toContain(`LOCAL_DIR ${directory} cannot be written`);
  });

  // docs/product.md R5
  test('if variables are wrong, and names each of them', async () => {
    const line = await errorLine({
      LOCAL_DIR: localDir,
      PORT: '80a',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://x',
      NODE_ENV: 'Production',
    });
    for (const name of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'NODE_ENV']) expect(line).toContain(name);
  });

  // docs/product.md R6
  test('if NODE_ENV is production', async () => {
    expect(await errorLine({ LOCAL_DIR: localDir, NODE_ENV: 'production' })).toContain('NODE_ENV');
    expect(statSync(localDir, { throwIfNoEntry: false })).toBeUndefined();
  });

  test('if a part fails after Postgres has started', async () => {
    copyFormer(localDir);
    const log = path.join(localDir, 'postgres/postgres.log');
    rmSync(log);
    rmSync(path.join(localDir, 'storage'), { recursive: true });
    writeFileSync(path.join(localDir, 'storage'), '');
    await errorLine({ LOCAL_DIR: localDir });
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

/** Starts on a copy of the former stack's directory, which saves the creation of the database. */
function startAgain(directory = localDir) {
  copyFormer(directory);
  return startReady(directory);
}

function copyFormer(directory: string): void {
  // cpSync of Node does not keep owners and modes.
  execFileSync('cp', ['-pR', path.join(former, 'local'), directory]);
}

/** Runs a stack from an empty directory until SIGTERM, and returns observations. */
async function runOnce(directory: string) {
  const { run, stack } = await startReady(directory);
  const readyStatus = (await fetch(`${stack.apiUrl}/readyz`)).status;
  const postmaster = postmasterOf(directory) ?? 0;
  const tree = treeOf(stack.pid);
  const observed = {
    readyStatus,
    directoryMode: statSync(directory).mode & 0o777,
    secretsMode: statSync(path.join(directory, 'secrets.json')).mode & 0o777,
    hasPostgres: tree.includes(postmaster),
    postgresUser: statSync(`/proc/${postmaster}`, { throwIfNoEntry: false })?.uid,
    stdout: run.stdout(),
    docsUrl: stack.docsUrl,
    codes: [await requestCode(stack.apiUrl), await requestCode(stack.apiUrl)],
  };
  run.child.kill('SIGTERM');
  const { code } = await run.ended;
  return { ...observed, code, left: tree.filter(isRunning), stackLeft: readStack(directory) };
}

/** Kills the processes of a test, including orphans of a failed start, which are outside of its process tree. */
async function endAll(directories: readonly string[]): Promise<void> {
  const orphans = directories.flatMap((directory) => readStack(directory)?.pid ?? []);
  const roots = [...runs.flatMap((run) => run.child.pid ?? []), ...orphans];
  for (const pid of roots.flatMap(treeOf)) killHard(pid);
  await Promise.all(runs.map((run) => run.ended));
}

async function errorLine(environment: Record<string, string>): Promise<string> {
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

/** Requests a code for a demo phone. Returns the status and the wait for the next one. */
async function requestCode(apiUrl: string): Promise<unknown[]> {
  const { status, data } = await clientOf(apiUrl).post('/auth/otp/request', { phoneNumber: '+12025550101' });
  return [status, data?.resendAfterSeconds];
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
