import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow, newKey, REFUSAL, SERVICE, startTestStorage, type TestStorage } from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('upload and download', () => {
  test.each([
    ['a buffer', () => Buffer.from('héllo')],
    ['a form', () => new Blob(['héllo'], { type: 'text/plain' })],
    ['a stream', () => new Blob(['héllo']).stream()],
  ])('of %s, with what it says of itself', async (_, body) => {
    const key = newKey();
    const options = { contentType: 'text/plain', cacheControl: '60', metadata: { from: 'test' } };
    const { data } = await storage.bucket('private').upload(key, body(), options);
    expect(data).toEqual({ path: key, id: expect.any(String), fullPath: `private/${key}` });
    const eTag = `"${createHash('md5').update('héllo').digest('hex')}"`;
    expect((await storage.bucket('private').info(key)).data).toEqual({
      id: data?.id,
      name: key,
      bucketId: 'private',
      size: 6,
      contentType: 'text/plain',
      etag: eTag,
      cacheControl: 'max-age=60',
      metadata: { from: 'test' },
      version: expect.any(String),
      createdAt: expect.any(String),
      lastModified: expect.any(String),
    });
    expect(await storage.contentOf(key)).toBe('héllo');
    const range = { ...SERVICE, range: 'bytes=0-1' };
    const { headers } = await storage.raw('HEAD', `/object/private/${key}`, range);
    expect(headers).toMatchObject({ etag: eTag, 'content-length': '6', 'content-type': 'text/plain' });
    expect(headers).toMatchObject({ 'cache-control': 'max-age=60', 'accept-ranges': 'bytes' });
    expect(await storage.bucket('private').exists(key)).toEqual({ data: true, error: null });
  });

  test('an object that is not there', async () => {
    const bucket = storage.bucket('private');
    expect((await bucket.download('nothing')).error).toMatchObject({
      ...REFUSAL.noKey,
      message: 'Object not found',
    });
    expect(await storage.raw('GET', '/object/private/nothing')).toMatchObject({ error: 'not_found' });
    expect(await storage.raw('HEAD', '/object/private/nothing')).toMatchObject({ status: 400, answer: '' });
    expect((await bucket.info('nothing')).error).toMatchObject(REFUSAL.noKey);
    expect((await bucket.exists('nothing')).data).toBe(false);
    expect((await bucket.createSignedUrl('nothing', 60)).error).toMatchObject(REFUSAL.noKey);
    expect((await storage.bucket('missing').download('nothing')).error).toMatchObject(REFUSAL.noBucket);
    expect((await storage.bucket('missing').upload('a', 'b')).error).toMatchObject(REFUSAL.noBucket);
    const elsewhere = { status: 400, statusCode: '404', message: 'The related resource does not exist' };
    expect((await storage.bucket('missing').createSignedUploadUrl('a')).error).toMatchObject(elsewhere);
  });

  test('replaces an object only where asked to', async () => {
    const key = await storage.store('first');
    const bucket = storage.bucket('private');
    const before = (await bucket.info(key)).data;
    expect((await bucket.upload(key, 'second')).error).toMatchObject(REFUSAL.keyTaken);
    expect(await storage.raw('POST', `/object/private/${key}`)).toMatchObject({ error: 'Duplicate' });
    expect(await storage.contentOf(key)).toBe('first');
    expect((await bucket.upload(key, 'second', { upsert: true })).error).toBeNull();
    expect(await storage.contentOf(key)).toBe('second');
    const after = (await bucket.info(key)).data;
    expect(after).toMatchObject({ id: before?.id, createdAt: before?.createdAt });
    expect(after?.version).not.toBe(before?.version);
  });

  test('many at once leave one whole object', async () => {
    const key = newKey();
    const bodies = Array.from({ length: 20 }, (_, i) => String(i).repeat(50_000 + i));
    const files = (await filesBelow(storage.directory)).length;
    const uploads = bodies.map((body) => storage.bucket('private').upload(key, body, { upsert: true }));
    expect((await Promise.all(uploads)).filter(({ error }) => error)).toEqual([]);
    const content = (await storage.contentOf(key)) ?? '';
    expect(bodies).toContain(content);
    const eTag = createHash('md5').update(content).digest('hex');
    expect((await storage.bucket('private').info(key)).data?.etag).toBe(`"${eTag}"`);
    expect((await filesBelow(storage.directory)).length).toBe(files + 2);
  });

  test.each([
    ['bytes=2-4', 206, 'cde', 'bytes 2-4/10'],
    ['bytes=7-', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=-3', 206, 'hij', 'bytes 7-9/10'],
    ['bytes=8-99', 206, 'ij', 'bytes 8-9/10'],
    ['bytes=10-', 416, /invalid_range/, undefined],
    ['bytes=-0', 416, /invalid_range/, undefined],
    ['bytes=5-2', 416, /invalid_range/, undefined],
    ['lines=1-2', 416, /invalid_range/, undefined],
  ])('range %s', async (range, status, answer, contentRange) => {
    const key = await storage.store('abcdefghij');
    const got = await storage.raw('GET', `/object/private/${key}`, { ...SERVICE, range });
    expect(got.status).toBe(status);
    expect(got.answer).toMatch(answer);
    expect(got.headers['content-range']).toBe(contentRange);
  });

  test('what the client has already is not sent again', async () => {
    const path = `/object/private/${await storage.store('content')}`;
    const { headers } = await storage.raw('GET', path);
    const same = await storage.raw('GET', path, { ...SERVICE, 'if-none-match': `${headers.etag}` });
    expect(same).toMatchObject({ status: 304, answer: '' });
    const lastModified = { ...SERVICE, 'if-modified-since': `${headers['last-modified']}` };
    const since = await storage.raw('GET', path, lastModified);
    expect(since.status).toBe(304);
    const stale = await storage.raw('GET', path, { ...SERVICE, 'if-none-match': '"old"' });
    expect(stale).toMatchObject({ status: 200, answer: 'content' });
    expect(stale.headers['cache-control']).toBe('max-age=3600, stale-while-revalidate=30');
  });

  test('a page is served as text, an empty file as nothing', async () => {
    const page = await storage.store('<script>', 'open', 'text/html');
    const served = await storage.raw('GET', `/object/public/open/${page}?download=a%20b.html`, {});
    expect(served).toMatchObject({ answer: '<script>', headers: { 'content-type': 'text/plain' } });
    expect(served.headers['content-disposition']).toBe(
      "attachment; filename=a%20b.html; filename*=UTF-8''a%20b.html",
    );
    expect(await storage.contentOf(await storage.store(''))).toBe('');
  });
});
