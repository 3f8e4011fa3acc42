import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { requireProgram } from '../../scripts/find-program.ts';
import { withClient } from '../../scripts/local/connection.ts';
import type { StackDescription } from '../../scripts/local/state.ts';
import { runProgram } from '../../scripts/run-program.ts';
import { readiness, type Start, start } from './running.ts';

let base: string;
let localDir: string;
let run: Start;
let stack: StackDescription;

beforeAll(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'opine-studio-'));
  localDir = path.join(base, 'local');
  run = await start({ LOCAL_DIR: localDir });
  stack = await readiness(run, localDir);
});

afterAll(async () => {
  run?.child.kill('SIGTERM');
  await run?.ended;
  rmSync(base, { recursive: true, force: true });
});

/** Puts a program named docker on a path of its own. Returns the path. */
function fakeDocker(script: string): string {
  const folder = mkdtempSync(path.join(base, 'bin-'));
  writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\n${script}`);
  chmodSync(path.join(folder, 'docker'), 0o755);
  return `${folder}:/usr/bin:/bin`;
}

const withoutDocker = () =>
  runProgram(process.execPath, ['scripts/studio.ts'], {
    cwd: ROOT,
    env: { PATH: fakeDocker('exit 1'), LOCAL_DIR: localDir },
  });

/** Returns the roles and URLs that the output names. */
const loginsIn = (output: string) =>
  [...output.matchAll(/^ {2}(\w+) +psql '(.+)'$/gm)].map(([, role = '', url = '']) => ({ role, url }));

describe('npm run studio without Docker', () => {
  test('prints logins that stay the same, each with the rights of its role', async () => {
    const [first, second] = [await withoutDocker(), await withoutDocker()];
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('Supabase Studio needs Docker') });
    expect(second.stdout).toBe(first.stdout);
    const mayRead = (url: string, view: string) =>
      withClient(url, (client) => client.query(`select from staff.${view}`)).then(
        () => true,
        (error: Error) => error.message,
      );
    const refused = (view: string) => `permission denied for view ${view}`;
    const seen = loginsIn(first.stdout).map(async ({ role, url }) => {
      const actor = await withClient(url, (client) => client.query('select staff.actor()'));
      return [
        role,
        actor.rows[0]?.actor,
        await mayRead(url, 'report_queue'),
        await mayRead(url, 'dead_letters'),
      ];
    });
    expect(await Promise.all(seen)).toEqual([
      ['support', 'support@opine.example', refused('report_queue'), refused('dead_letters')],
      ['moderator', 'moderator@opine.example', true, refused('dead_letters')],
      ['admin', 'admin@opine.example', true, true],
    ]);
  });

  test('without a stack says what to start', async () => {
    const empty = path.join(base, 'empty');
    mkdirSync(empty);
    const { code, stderr } = await runProgram(process.execPath, ['scripts/studio.ts'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, LOCAL_DIR: empty },
    });
    expect([code, stderr]).toEqual([1, 'Nothing runs here: npm start first, with the same LOCAL_DIR.\n']);
  });
});

/** Encrypts as Studio does (CryptoJS, which writes the format of OpenSSL). */
async function encrypt(text: string, key: string): Promise<string> {
  const args = ['enc', '-aes-256-cbc', '-md', 'md5', '-a', '-A', '-salt', '-pass', `pass:${key}`];
  return (await runProgram(requireProgram('openssl'), args, { input: text })).stdout.trim();
}

describe('npm run studio with Docker', () => {
  test('runs the image that the Supabase CLI pins on loopback, as the admin, and ends with it', async () => {
    const written = path.join(base, 'docker.env');
    const docker = fakeDocker(
      `[ "$1" = info ] && exit 0\nenv > '${written}.new'\necho "ARGS=$*" >> '${written}.new'\nmv '${written}.new' '${written}'\nexec sleep 600\n`,
    );
    const studio = await start({ LOCAL_DIR: localDir, PATH: docker }, [
      process.execPath,
      'scripts/studio.ts',
    ]);
    onTestFinished(() => void studio.child.kill('SIGTERM'));
    await expect.poll(() => existsSync(written)).toBe(true);
    const given = parseEnv(readFileSync(written, 'utf8')) as Record<string, string>;
    expect(given.ARGS).toMatch(/^run --rm --init .* supabase\/studio:\d{4}\.\d\d\.\d\d-sha-\w+$/);
    expect(given.ARGS).toContain(
      process.platform === 'linux' ? '--network host' : `--publish 127.0.0.1:${given.PORT}:${given.PORT}`,
    );
    expect(given.ARGS).not.toContain(given.POSTGRES_PASSWORD);
    expect(given.HOSTNAME).toBe(process.platform === 'linux' ? '127.0.0.1' : '0.0.0.0');
    expect(given.SUPABASE_SERVICE_KEY).toBeUndefined();

    const {
      STUDIO_PG_META_URL,
      POSTGRES_USER_READ_WRITE,
      POSTGRES_PASSWORD,
      PG_META_CRYPTO_KEY = '',
    } = given;
    const url = new URL(stack.databaseUrl);
    expect([given.POSTGRES_PORT, given.POSTGRES_DB]).toEqual([url.port, url.pathname.slice(1)]);
    url.username = POSTGRES_USER_READ_WRITE ?? '';
    url.password = POSTGRES_PASSWORD ?? '';
    const query = (headers: Record<string, string>) =>
      fetch(`${STUDIO_PG_META_URL?.replace('host.docker.internal', '127.0.0.1')}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: 'select current_user::text as login' }),
      }).then(
        (response) => response.json(),
        () => null,
      );
    const encrypted = await encrypt(url.href, PG_META_CRYPTO_KEY);
    await expect
      .poll(() => query({ 'x-connection-encrypted': encrypted }))
      .toEqual([{ login: 'local_admin' }]);
    expect(await query({})).toMatchObject({ error: 'connect ECONNREFUSED 127.0.0.1:1' });

    studio.child.kill('SIGTERM');
    await studio.ended;
    await expect.poll(() => query({})).toBeNull();
  });
});
