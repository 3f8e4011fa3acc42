import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startStorage } from '../../../scripts/local/storage/main.ts';
import { storageAt } from '../../support/supabase-storage.ts';
import {
  clientOf,
  newKey,
  REFUSAL,
  SECRET_KEY,
  SERVICE,
  SIGNING_SECRET,
  signToken,
  startIn,
  startTestStorage,
  type TestStorage,
  temporaryDirectory,
} from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('callers', async () => {
  const otherToken = await signToken({ role: 'service_role' });
  const others: [string, Record<string, string>][] = [
    ['nobody', {}],
    ['a wrong key', { apikey: `${SECRET_KEY}x` }],
    ['a part of the key', { authorization: `Bearer ${SECRET_KEY.slice(0, -1)}` }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['a user behind the key of the service', { apikey: SECRET_KEY, authorization: `Bearer ${otherToken}` }],
    ['the signing secret', { authorization: `Bearer ${SIGNING_SECRET}` }],
  ];

  test.each(others)('%s may do nothing to the service', async (_, credentials) => {
    const key = await storage.store('content');
    const body = JSON.stringify({
      bucketId: 'private',
      sourceKey: key,
      destinationKey: `${key}2`,
      expiresIn: 60,
    });
    const headers = { ...credentials, 'content-type': 'application/json' };
    const deny = { status: 400, code: expect.stringMatching(/^(AccessDenied|InvalidRequest)$/) };
    for (const [method, path] of [
      ['GET', '/bucket'],
      ['GET', '/bucket/private'],
      ['POST', '/bucket'],
      ['POST', `/object/private/${key}3`],
      ['POST', `/object/upload/sign/private/${key}3`],
      ['POST', `/object/sign/private/${key}`],
      ['POST', '/object/copy'],
      ['POST', '/object/move'],
      ['POST', '/object/list/private'],
      ['DELETE', '/object/private'],
    ] as const) {
      expect(await storage.raw(method, path, headers, body), `${method} ${path}`).toMatchObject(deny);
    }
    for (const prefix of ['', 'authenticated/', 'public/', 'info/', 'info/authenticated/', 'info/public/']) {
      expect(await storage.raw('GET', `/object/${prefix}private/${key}`, headers), prefix).toMatchObject(
        REFUSAL.noBucket,
      );
    }
    expect(await storage.contentOf(key)).toBe('content');
  });

  test('everybody may read a public bucket, and only read', async () => {
    const key = await storage.store('content', 'open');
    const { publicUrl } = storage.bucket('open').getPublicUrl(key).data;
    expect(await (await fetch(publicUrl)).text()).toBe('content');
    expect((await fetch(publicUrl, { method: 'HEAD' })).headers.get('content-length')).toBe('7');
    const anybody = storageAt(storage.url).from('open');
    expect((await anybody.info(key)).data).toMatchObject({ name: key, size: 7 });
    expect(await (await anybody.download(key)).data?.text()).toBe('content');
    expect((await anybody.upload(newKey(), 'x')).error).toMatchObject({
      statusCode: '403',
      code: 'AccessDenied',
    });
    expect((await anybody.list()).error).toMatchObject({ statusCode: '403' });
    expect((await storage.raw('GET', '/object/public/private/a')).code).toBe('NoSuchBucket');
  });

  test('the key counts as bearer and as apikey', async () => {
    for (const headers of [SERVICE, { apikey: SECRET_KEY }, { ...SERVICE, apikey: 'sb_publishable' }]) {
      expect((await storage.raw('GET', '/bucket', headers)).status).toBe(200);
    }
  });
});

describe('start', () => {
  test('again on the same directory keeps everything but what was under way', async () => {
    const where = await temporaryDirectory();
    const first = await startIn(where);
    await clientOf(first).createBucket('later');
    await clientOf(first)
      .from('later')
      .upload('a.txt', 'content', { metadata: { a: 1 } });
    const { data } = await clientOf(first).from('later').info('a.txt');
    const createdAt = (await clientOf(first).getBucket('open')).data?.created_at;
    await first.stop();
    await writeFile(join(where, 'staging', randomUUID()), 'half');
    const closed = { name: 'open', public: false, fileSizeLimit: 5, allowedMimeTypes: null };
    const second = await startIn(where, [closed]);
    expect((await clientOf(second).getBucket('open')).data?.created_at).toBe(createdAt);
    expect((await clientOf(second).from('later').info('a.txt')).data).toEqual(data);
    expect(await (await clientOf(second).from('later').download('a.txt')).data?.text()).toBe('content');
    expect((await clientOf(second).getBucket('open')).data).toMatchObject({
      public: false,
      file_size_limit: 5,
    });
    expect(await readdir(join(where, 'staging'))).toEqual([]);
    await second.stop();
    await rm(where, { recursive: true });
  });

  test('is refused in production, and on a port that is taken', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await expect(startIn(storage.directory)).rejects.toThrow('production');
    vi.unstubAllEnvs();
    const where = await temporaryDirectory();
    const port = Number(new URL(storage.url).port);
    const options = { directory: where, port, secretKey: 'a', signingSecret: 'b', keys: [], buckets: [] };
    await expect(startStorage(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await rm(where, { recursive: true });
  });

  test('stops with an upload under way', async () => {
    const where = await temporaryDirectory();
    const running = await startIn(where);
    const path = '/storage/v1/object/private/a';
    const headers = { ...SERVICE, 'content-length': '1000000' };
    const outgoing = request(new URL(running.url), { method: 'POST', path, headers });
    const cut = once(outgoing, 'error');
    outgoing.write('half');
    await expect.poll(() => readdir(join(where, 'staging')), { timeout: 10_000 }).toHaveLength(1);
    await running.stop();
    await cut;
    expect(await readdir(join(where, 'staging'))).toEqual([]);
    await rm(where, { recursive: true });
  });
});
