import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageAt } from '../../support/storage.ts';
import {
  filesBelow,
  newKey,
  REFUSAL,
  SERVICE,
  STRICT_LIMIT,
  signToken,
  startTestStorage,
  type TestStorage,
  uploadPath,
} from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

const PNG = { 'content-type': 'image/png' };

describe('PUT to a signed upload URL', () => {
  test('the file is stored with its content type and cache control', async () => {
    const key = newKey();
    const headers = { ...PNG, 'cache-control': 'max-age=5' };
    const { status, answer } = await storage.raw('PUT', await uploadPath(`private/${key}`), headers, 'plain');
    expect({ status, answer }).toEqual({ status: 200, answer: JSON.stringify({ Key: `private/${key}` }) });
    expect((await storage.bucket('private').info(key)).data).toMatchObject({
      contentType: 'image/png',
      cacheControl: 'max-age=5',
      size: 5,
    });
    expect(await storage.contentOf(key)).toBe('plain');
  });

  test('a token with upsert replaces the file', async () => {
    const key = newKey();
    const path = await uploadPath(`private/${key}`);
    for (const content of ['first', 'second']) {
      expect((await storage.raw('PUT', path, PNG, content)).status).toBe(200);
      expect(await storage.contentOf(key)).toBe(content);
    }
  });

  test('a token without upsert replaces nothing, even with an x-upsert header', async () => {
    const key = await storage.store('first');
    const path = await uploadPath(`private/${key}`, false);
    for (const headers of [PNG, { ...PNG, 'x-upsert': 'true' }]) {
      expect(await storage.raw('PUT', path, headers, 'second')).toMatchObject({
        ...REFUSAL.keyTaken,
        error: 'Duplicate',
      });
    }
    expect(await storage.contentOf(key)).toBe('first');
  });

  test('supabase-js uploads a form without a key', async () => {
    const key = newKey();
    const token = await signToken({ url: `private/${key}`, scope: 'upload', upsert: true });
    const anybody = storageAt(storage.url).from('private');
    const { data } = await anybody.uploadToSignedUrl(key, token, new Blob(['form'], { type: 'image/webp' }));
    expect(data).toEqual({ path: key, fullPath: `private/${key}` });
    expect((await storage.bucket('private').info(key)).data).toMatchObject({
      contentType: 'image/webp',
      size: 4,
    });
  });

  test('a bucket that does not exist is refused', async () => {
    expect(await storage.raw('PUT', await uploadPath('missing/a'), PNG, 'x')).toMatchObject(REFUSAL.noBucket);
  });
});

describe('an upload of the service', () => {
  test.each([
    ['bytes', () => Buffer.from('héllo')],
    ['a form', () => new Blob(['héllo'], { type: 'text/plain' })],
  ])('%s are stored with their headers', async (_, body) => {
    const key = newKey();
    const options = { contentType: 'text/plain', cacheControl: '60' };
    const { data } = await storage.bucket('private').upload(key, body(), options);
    expect(data).toEqual({ path: key, id: expect.any(String), fullPath: `private/${key}` });
    expect((await storage.bucket('private').info(key)).data).toEqual({
      id: data?.id,
      name: key,
      bucketId: 'private',
      size: 6,
      contentType: 'text/plain',
      etag: `"${createHash('md5').update('héllo').digest('hex')}"`,
      cacheControl: 'max-age=60',
      metadata: {},
      version: expect.any(String),
      createdAt: expect.any(String),
      lastModified: expect.any(String),
    });
    expect(await storage.contentOf(key)).toBe('héllo');
  });

  test('an object is replaced only with upsert, and keeps its id', async () => {
    const key = await storage.store('first');
    const bucket = storage.bucket('private');
    const before = (await bucket.info(key)).data;
    const plain = { contentType: 'text/plain' };
    expect((await bucket.upload(key, 'second', plain)).error).toMatchObject(REFUSAL.keyTaken);
    expect(await storage.contentOf(key)).toBe('first');
    expect((await bucket.upload(key, 'second', { ...plain, upsert: true })).error).toBeNull();
    expect(await storage.contentOf(key)).toBe('second');
    const after = (await bucket.info(key)).data;
    expect(after).toMatchObject({ id: before?.id, createdAt: before?.createdAt });
    expect(after?.version).not.toBe(before?.version);
  });

  test('twenty concurrent uploads of one key leave one whole object', async () => {
    const key = newKey();
    const bodies = Array.from({ length: 20 }, (_, i) => String(i).repeat(50_000 + i));
    const files = (await filesBelow(storage.directory)).length;
    const options = { contentType: 'text/plain', upsert: true };
    const uploads = bodies.map((body) => storage.bucket('private').upload(key, body, options));
    expect((await Promise.all(uploads)).filter(({ error }) => error)).toEqual([]);
    const content = (await storage.contentOf(key)) ?? '';
    expect(bodies).toContain(content);
    const eTag = createHash('md5').update(content).digest('hex');
    expect((await storage.bucket('private').info(key)).data?.etag).toBe(`"${eTag}"`);
    expect((await filesBelow(storage.directory)).length).toBe(files + 1);
  });

  test('an upload to a bucket that does not exist is refused', async () => {
    expect((await storage.bucket('missing').upload('a', 'b')).error).toMatchObject(REFUSAL.noBucket);
  });
});

describe('the limits of a bucket', () => {
  test.each([
    ['bytes', (size: number) => Buffer.alloc(size, 1)],
    ['a stream', (size: number) => new Blob([Buffer.alloc(size, 1)]).stream()],
    ['a form', (size: number) => new Blob([Buffer.alloc(size, 1)], { type: 'image/png' })],
  ])('%s beyond the file size are refused and leave no file', async (_, body) => {
    const bucket = storage.bucket('strict');
    const key = newKey();
    const type = { contentType: 'image/png' };
    expect((await bucket.upload(key, body(STRICT_LIMIT + 1), type)).error).toMatchObject(REFUSAL.tooLarge);
    expect((await bucket.exists(key)).data).toBe(false);
    expect((await bucket.upload(key, body(STRICT_LIMIT), type)).error).toBeNull();
    expect(await readdir(join(storage.directory, 'staging'))).toEqual([]);
  });

  test('a body of 40 MB is refused', async () => {
    const body = Buffer.alloc(40_000_000, 1);
    for (const upload of [body, new Blob([body]).stream()]) {
      const { error } = await storage
        .bucket('private')
        .upload(newKey(), upload, { contentType: 'image/png' });
      expect(error).toMatchObject(REFUSAL.tooLarge);
    }
  });

  test.each(['application/json', 'image/png; charset=utf-8', 'imageish/png', 'image', ''])(
    'content type "%s" is refused',
    async (contentType) => {
      const path = await uploadPath(`strict/${newKey()}`);
      const plain = await storage.raw('PUT', path, { 'content-type': contentType }, 'x');
      expect(plain).toMatchObject({ ...REFUSAL.wrongType, error: 'invalid_mime_type' });
      const form = await storage.bucket('strict').upload(newKey(), new Blob(['x'], { type: contentType }));
      expect(form.error).toMatchObject(REFUSAL.wrongType);
    },
  );
});

describe('the key of an upload', () => {
  test.each([
    ...[
      '../../other/x',
      'a/../../x',
      '%2e%2e/%2e%2e/other/x',
      '..%2fother%2fx',
      'a/./b',
      'a/..',
      '%2E%2E%2Fx',
      'a/b',
    ],
    ...['/etc/passwd', '%2fetc%2fpasswd', 'a%00b', '%00', 'a%5cb', '..%5c..%5cx', 'a\\..\\b', 'a%0ab', '%20'],
    ...['%252e%252e/x', '%c3%a9.txt', '%ff', '%zz', 'a%', 'long'.repeat(51), 'C:%5cx', '%7e/x%23', '..', ''],
  ])('%s is refused and writes nothing', async (key) => {
    const before = await filesBelow(storage.directory);
    const headers = { ...SERVICE, ...PNG, 'x-upsert': 'true' };
    const upload = await storage.raw('POST', `/object/private/${key}`, headers, 'escaped');
    expect([400, 404]).toContain(upload.status);
    expect([400, 404]).toContain((await storage.raw('GET', `/object/private/${key}`)).status);
    expect(await filesBelow(storage.directory)).toEqual(before);
  });

  test.each(['..', '%2e%2e', 'a%2fb', '..%2f..', 'a%00', 'objects'])(
    'bucket %s is refused',
    async (bucket) => {
      const before = await filesBelow(storage.directory);
      const headers = { ...SERVICE, ...PNG };
      expect([400, 404]).toContain((await storage.raw('POST', `/object/${bucket}/x`, headers, 'x')).status);
      expect([400, 404]).toContain((await storage.raw('GET', `/object/${bucket}/x`)).status);
      expect(await filesBelow(storage.directory)).toEqual(before);
    },
  );
});

describe('a malformed upload', () => {
  const form = { 'content-type': 'multipart/form-data; boundary=cut' };
  const formBody = '--cut\r\nContent-Disposition: form-data; name=""; filename="blob"\r\n\r\n';

  test.each([
    ['with a declared length', { ...PNG, 'content-length': '1000000' }, 'half'.repeat(50_000)],
    ['with chunks', { ...PNG, 'transfer-encoding': 'chunked' }, 'half'.repeat(50_000)],
    ['in a form', { ...form, 'content-length': '1000000' }, formBody + 'half'.repeat(50_000)],
  ])('a cut upload %s leaves nothing', async (_, headers, half) => {
    const [fresh, known] = [newKey(), await storage.store('whole')];
    const files = await filesBelow(storage.directory);
    for (const key of [fresh, known]) {
      const path = `/storage/v1/object/private/${key}`;
      const options = { method: 'POST', path, headers: { ...SERVICE, ...headers, 'x-upsert': 'true' } };
      const outgoing = request(new URL(storage.url), options).on('error', () => undefined);
      await new Promise((resolve) => outgoing.write(half, resolve));
      outgoing.destroy();
    }
    // A request on another connection follows the end of the cut ones.
    expect(await storage.contentOf(known)).toBe('whole');
    expect((await storage.bucket('private').exists(fresh)).data).toBe(false);
    expect(await filesBelow(storage.directory)).toEqual(files);
  });

  test.each([
    ['that ends early', form, `${formBody}content\r\n--cut`],
    ['without a file', form, '--cut\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--cut--'],
    ['without a boundary', { 'content-type': 'multipart/form-data' }, formBody],
  ])('a form %s is refused', async (_, headers, body) => {
    const key = newKey();
    const answer = await storage.raw('POST', `/object/private/${key}`, { ...SERVICE, ...headers }, body);
    expect(answer).toMatchObject(REFUSAL.invalid);
    expect((await storage.bucket('private').exists(key)).data).toBe(false);
  });

  test('a form cannot add a line to the headers of the download', async () => {
    const field =
      '--cut\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n5\r\nSet-Cookie: c=d\r\n';
    const file = formBody.replace('\r\n\r\n', '\r\nContent-Type: image/png\r\n\r\n');
    const body = `${field}${file}content\r\n--cut--\r\n`;
    const answer = await storage.raw('POST', `/object/private/${newKey()}`, { ...SERVICE, ...form }, body);
    expect(answer).toMatchObject(REFUSAL.invalid);
  });
});
