import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type RunningStorage, startStorage } from '../../../scripts/local/storage/server.ts';
import { storageAt } from '../../support/storage.ts';
import { newKey, optionsFor, SECRET_KEY, SERVICE, temporaryDirectory } from './harness.ts';

const SERVER = new URL('../../../scripts/local/storage/server.ts', import.meta.url).href;

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(() => rm(directory, { recursive: true }));

const bucketOf = ({ url }: Pick<RunningStorage, 'url'>) => storageAt(url, SECRET_KEY).from('private');
const plain = { contentType: 'text/plain' };

describe('a start', () => {
  test('objects survive a restart, and unfinished uploads are removed', async () => {
    const first = await startStorage(optionsFor(directory));
    await bucketOf(first).upload('a.txt', 'content', plain);
    const { data } = await bucketOf(first).info('a.txt');
    await first.stop();
    await writeFile(join(directory, 'staging', randomUUID()), 'half');

    const second = await startStorage(optionsFor(directory));
    expect((await bucketOf(second).info('a.txt')).data).toEqual(data);
    expect(await (await bucketOf(second).download('a.txt')).data?.text()).toBe('content');
    expect(await readdir(join(directory, 'staging'))).toEqual([]);
    await second.stop();
  });

  test('every acknowledged upload survives kill -9 during other uploads', async () => {
    const options = JSON.stringify(optionsFor(directory));
    const script = `import { startStorage } from '${SERVER}';
      const { url } = await startStorage(${options}); process.stdout.write(url);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(child.stdout.setEncoding('utf8'), 'data');
    const acknowledged: string[] = [];
    const contentFor = (key: string) => key.repeat(5_000);
    const uploads = Array.from({ length: 60 }, async () => {
      const key = newKey();
      const { error } = await bucketOf({ url }).upload(key, contentFor(key), plain);
      if (error === null) acknowledged.push(key);
      if (acknowledged.length === 20) child.kill('SIGKILL');
    });
    await Promise.all([once(child, 'exit'), ...uploads]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(20);

    const running = await startStorage(optionsFor(directory));
    const { data } = await bucketOf(running).list();
    const stored = data?.map(({ name }) => name) ?? [];
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    for (const key of stored) {
      expect(await (await bucketOf(running).download(key)).data?.text()).toBe(contentFor(key));
    }
    await running.stop();
  });

  test('NODE_ENV=production is refused', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    try {
      await expect(startStorage(optionsFor(directory))).rejects.toThrow('production');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('a taken port is refused', async () => {
    const running = await startStorage(optionsFor(directory));
    const port = Number(new URL(running.url).port);
    const beside = { ...optionsFor(join(directory, 'beside')), port };
    await expect(startStorage(beside)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await running.stop();
  });

  test('a directory that is a file is refused', async () => {
    await mkdir(join(directory, 'below'));
    await writeFile(join(directory, 'below/file'), '');
    await expect(startStorage(optionsFor(join(directory, 'below/file')))).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOTDIR|EEXIST)$/),
    });
  });
});

test('a stop cuts an upload in progress, which leaves no file', async () => {
  const running = await startStorage(optionsFor(directory));
  const path = '/storage/v1/object/private/a';
  const headers = { ...SERVICE, 'content-type': 'text/plain', 'content-length': '1000000' };
  const outgoing = request(new URL(running.url), { method: 'POST', path, headers });
  const cut = once(outgoing, 'error');
  await new Promise((resolve) => outgoing.write('half', resolve));
  await running.stop();
  await cut;
  expect(await readdir(join(directory, 'staging'))).toEqual([]);
  expect(await readdir(directory)).toEqual(['staging']);
});
