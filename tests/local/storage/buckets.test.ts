import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  filesBelow,
  newKey,
  REFUSAL,
  SERVICE,
  SERVICE_JSON,
  STRICT_LIMIT,
  startTestStorage,
  type TestStorage,
} from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('buckets', () => {
  test('are the declared ones, and those created later', async () => {
    const name = randomUUID();
    const options = { public: false, fileSizeLimit: '1.5MB', allowedMimeTypes: ['image/png'] };
    expect(await storage.client.createBucket(name, options)).toEqual({ data: { name }, error: null });
    expect((await storage.client.getBucket(name)).data).toMatchObject({
      id: name,
      name,
      public: false,
      file_size_limit: 1_500_000,
      allowed_mime_types: ['image/png'],
      created_at: expect.stringMatching(/^\d{4}-/),
    });
    const names = (await storage.client.listBuckets()).data?.map((bucket) => bucket.name);
    expect(names).toEqual(expect.arrayContaining([name, 'private', 'open', 'strict']));
  });

  test('refuse a name that is taken, none or not one, and a limit beyond the service', async () => {
    expect((await storage.client.createBucket('private')).error).toMatchObject({
      status: 400,
      statusCode: '409',
      code: 'BucketAlreadyExists',
      message: 'The resource already exists',
    });
    expect((await storage.client.getBucket('missing')).error).toMatchObject({
      ...REFUSAL.noBucket,
      message: 'Bucket not found',
    });
    expect((await storage.client.createBucket('a/b')).error).toMatchObject({
      code: 'InvalidBucketName',
      statusCode: '400',
    });
    const huge = await storage.client.createBucket('huge', { public: false, fileSizeLimit: '2GB' });
    expect(huge.error).toMatchObject(REFUSAL.tooLarge);
    const options = { public: false, allowedMimeTypes: ['png'] };
    const typeless = await storage.client.createBucket('typeless', options);
    expect(typeless.error).toMatchObject(REFUSAL.wrongType);
  });
});

describe('limits of a bucket', () => {
  const type = { contentType: 'image/png' };
  const bytes = (size: number) => Buffer.alloc(size, 1);

  test('size: declared, streamed and in a form', async () => {
    const bucket = storage.bucket('strict');
    const form = (size: number) => new Blob([bytes(size)], { type: 'image/png' });
    const stream = (size: number) => new Blob([bytes(size)]).stream();
    for (const body of [bytes, stream, form]) {
      const key = newKey('png');
      expect((await bucket.upload(key, body(STRICT_LIMIT + 1), type)).error).toMatchObject(REFUSAL.tooLarge);
      expect((await bucket.exists(key)).data).toBe(false);
      expect((await bucket.upload(key, body(STRICT_LIMIT), type)).error).toBeNull();
    }
    expect((await bucket.upload(newKey(), bytes(40_000_000), type)).error).toMatchObject(REFUSAL.tooLarge);
    expect(await readdir(join(storage.directory, 'staging'))).toEqual([]);
  });

  test.each([
    ['image/webp', true],
    ['application/pdf', true],
    ['application/json', false],
    ['application/pdf; charset=utf-8', false],
    ['imageish/png', false],
    ['image', false],
  ])('content type %s', async (contentType, isTaken) => {
    const key = newKey();
    const bucket = storage.bucket('strict');
    const plain = await bucket.upload(key, 'x', { contentType });
    const form = await bucket.upload(`${key}2`, new Blob(['x'], { type: contentType }));
    for (const { error } of [plain, form]) {
      expect(error).toEqual(isTaken ? null : expect.objectContaining(REFUSAL.wrongType));
    }
  });
});

describe('names', () => {
  const escapes = [
    ...['../other/x', 'a/../../x', '%2e%2e/other/x', '..%2fother%2fx', 'a/./b', 'a/..', '.', '%2E%2E%2Fx'],
    ...['/etc/passwd', '%2fetc%2fpasswd', 'a%00b', '%00', 'a%5cb', '..%5c..%5cx', 'a\\..\\b', 'a%0ab', ''],
    ...['%252e%252e/x', '%c3%a9.txt', '%ff', '%zz', 'a%', `${'long'.repeat(256)}x`, 'C:%5cx', '%7e/x%23'],
  ];

  test.each(escapes)('%s is no name of an object', async (key) => {
    const before = await filesBelow(storage.directory);
    const upsert = { ...SERVICE, 'x-upsert': 'true' };
    const upload = await storage.raw('POST', `/object/private/${key}`, upsert, 'escaped');
    const sign = await storage.raw('POST', `/object/upload/sign/private/${key}`);
    for (const { status, answer, code } of [upload, sign]) {
      // A raw backslash does not get as far as the service.
      expect([status, code]).toEqual([400, answer === '' ? undefined : 'InvalidKey']);
    }
    expect((await storage.raw('GET', `/object/private/${key}`)).status).toBe(400);
    if (!key.includes('%')) {
      for (const change of ['copy', 'move']) {
        const body = JSON.stringify({ bucketId: 'private', sourceKey: 'a', destinationKey: key });
        const refused = await storage.raw('POST', `/object/${change}`, SERVICE_JSON, body);
        expect(refused).toMatchObject({ status: 400, code: 'InvalidKey' });
      }
    }
    expect(await filesBelow(storage.directory)).toEqual(before);
  });

  test.each(['..', '.', '%2e%2e', 'a%2fb', '..%2f..', 'a%00', 'b%5cc', '%c3%a9', 'x'.repeat(101)])(
    '%s is no name of a bucket',
    async (bucket) => {
      const code = expect.stringMatching(/^(InvalidBucketName|NoSuchBucket)$/);
      expect(await storage.raw('POST', `/object/${bucket}/x`)).toMatchObject({ status: 400, code });
      expect(await storage.raw('GET', `/object/${bucket}/x`)).toMatchObject({ status: 400, code });
      const list = await storage.raw('POST', `/object/list/${bucket}`, SERVICE_JSON, '{"prefix":""}');
      expect(list.answer).not.toContain('"id"');
    },
  );

  test('that a file system might confuse are objects of their own', async () => {
    const folder = randomUUID();
    const names = [
      ...['Case.txt', 'case.txt', 'case.txt.', 'case.txt..', 'case.txt%20', 'case.txt/x'],
      ...['con', 'a//b', 'a/b', 'object.json', 'x'.repeat(900)],
    ];
    const paths = names.map((name) => `/object/private/${folder}/${name}`);
    for (const path of paths) {
      expect((await storage.raw('POST', path, SERVICE, path)).status).toBe(200);
    }
    for (const path of paths) {
      expect((await storage.raw('GET', path)).answer).toBe(path);
    }
    for (const file of await filesBelow(storage.directory)) {
      expect(file.slice(storage.directory.length)).toMatch(
        /^(\/(objects|buckets|staging|[0-9a-f-]{36,64}))+(\/object)?(\.json)?$/,
      );
    }
  });
});
