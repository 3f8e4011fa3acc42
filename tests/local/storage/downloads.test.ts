import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageAt } from '../../support/storage.ts';
import {
  downloadPath,
  filesBelow,
  newKey,
  REFUSAL,
  SERVICE_JSON,
  startTestStorage,
  type TestStorage,
} from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('a download', () => {
  test('a signed URL reads the object without a key and expires with its token', async () => {
    const key = await storage.store('content');
    const { status, answer, headers } = await storage.raw('GET', await downloadPath(`private/${key}`), {});
    expect({ status, answer }).toEqual({ status: 200, answer: 'content' });
    expect(headers).toMatchObject({
      expires: expect.stringMatching(/GMT$/),
      'last-modified': expect.stringMatching(/GMT$/),
      'content-type': 'text/plain',
      'content-length': '7',
    });
    expect(headers['cache-control']).toBeUndefined();
    expect(headers['content-disposition']).toBeUndefined();
  });

  test('the parameter download names the saved file', async () => {
    const path = await downloadPath(`private/${await storage.store('content')}`);
    const { headers } = await storage.raw('GET', `${path}&download=a%20b.txt`, {});
    expect(headers['content-disposition']).toBe("attachment; filename=a%20b.txt; filename*=UTF-8''a%20b.txt");
  });

  test('everybody reads a public bucket by its public URL and does nothing else with it', async () => {
    const key = await storage.store('content', 'open');
    const { publicUrl } = storage.bucket('open').getPublicUrl(key).data;
    const response = await fetch(publicUrl);
    expect(await response.text()).toBe('content');
    expect(response.headers.get('cache-control')).toBe('max-age=3600');
    const anybody = storageAt(storage.url).from('open');
    expect((await anybody.upload(newKey(), 'x')).error).toMatchObject(REFUSAL.denied);
    expect((await anybody.remove([key])).error).toMatchObject(REFUSAL.denied);
    expect((await anybody.list()).error).toMatchObject(REFUSAL.denied);
  });

  test('a private bucket has no public URLs', async () => {
    const path = `/object/public/private/${await storage.store('content')}`;
    expect(await storage.raw('GET', path)).toMatchObject(REFUSAL.noBucket);
  });

  test('the service reads an empty object', async () => {
    expect(await storage.contentOf(await storage.store(''))).toBe('');
  });

  test('a missing object and a missing bucket are refused', async () => {
    const missing = { ...REFUSAL.noKey, message: 'Object not found' };
    expect((await storage.bucket('private').download('nothing')).error).toMatchObject(missing);
    expect((await storage.bucket('private').info('nothing')).error).toMatchObject(missing);
    expect((await storage.bucket('private').exists('nothing')).data).toBe(false);
    for (const path of ['/object/private/nothing', '/object/public/open/nothing']) {
      expect(await storage.raw('GET', path)).toMatchObject({ ...missing, error: 'not_found' });
    }
    expect(await storage.raw('GET', await downloadPath('private/nothing'))).toMatchObject(missing);
    const noBucket = { ...REFUSAL.noBucket, message: 'Bucket not found' };
    expect((await storage.bucket('missing').download('nothing')).error).toMatchObject(noBucket);
  });
});

describe('a removal', () => {
  test('the answer lists the removed objects, and no file is left', async () => {
    const files = await filesBelow(storage.directory);
    const keys = [await storage.store('a'), await storage.store('b')];
    const bucket = storage.bucket('private');
    const { data } = await bucket.remove([...keys, 'nothing']);
    expect(data).toEqual(keys.map((name) => expect.objectContaining({ name, bucket_id: 'private' })));
    expect((await bucket.info(keys[0] ?? '')).error).toMatchObject(REFUSAL.noKey);
    expect(await filesBelow(storage.directory)).toEqual(files);
  });

  test('a removal of missing objects succeeds', async () => {
    expect((await storage.bucket('private').remove(['nothing'])).data).toEqual([]);
  });

  test('a removal without keys is refused', async () => {
    expect((await storage.bucket('private').remove([])).error).toMatchObject(REFUSAL.invalid);
  });
});

describe('a list', () => {
  test('pages are in the order of the keys', async () => {
    const bucket = storage.bucket('other');
    for (const key of ['b.txt', 'c_.txt', 'a.txt']) {
      await bucket.upload(key, key, { contentType: 'text/plain' });
    }
    const names = async (limit: number, offset: number) =>
      (await bucket.list('', { limit, offset })).data?.map(({ name }) => name);
    expect(await names(100, 0)).toEqual(['a.txt', 'b.txt', 'c_.txt']);
    expect(await names(2, 0)).toEqual(['a.txt', 'b.txt']);
    expect(await names(2, 2)).toEqual(['c_.txt']);
    expect((await bucket.list()).data?.[0]).toMatchObject({
      id: expect.any(String),
      metadata: { size: 5, mimetype: 'text/plain', cacheControl: 'max-age=3600' },
      created_at: expect.stringMatching(/^\d{4}-/),
    });
  });

  test('an empty bucket and a missing bucket have no objects', async () => {
    for (const name of ['strict', 'missing']) expect((await storage.bucket(name).list()).data).toEqual([]);
  });
});

describe('buckets', () => {
  test('the list has the declared and the created buckets', async () => {
    const options = { public: false, fileSizeLimit: 1000, allowedMimeTypes: ['image/png'] };
    expect(await storage.client.createBucket('later', options)).toEqual({
      data: { name: 'later' },
      error: null,
    });
    const { data } = await storage.client.listBuckets();
    expect(data?.map(({ name }) => name)).toEqual(['private', 'other', 'open', 'strict', 'later']);
    expect(data?.at(-1)).toMatchObject({
      id: 'later',
      public: false,
      file_size_limit: 1000,
      allowed_mime_types: ['image/png'],
    });
    const type = { contentType: 'image/png' };
    expect((await storage.bucket('later').upload('a.png', 'content', type)).error).toBeNull();
    expect(await storage.contentOf('a.png', 'later')).toBe('content');
  });

  test('a bucket with the name of another is refused', async () => {
    const options = { public: false, fileSizeLimit: 1000, allowedMimeTypes: [] };
    expect((await storage.client.createBucket('private', options)).error).toMatchObject({
      status: 400,
      statusCode: '409',
      code: 'BucketAlreadyExists',
      message: 'The resource already exists',
    });
  });
});

describe('a malformed request', () => {
  test.each([
    ['POST', '/object/list/private', '{'],
    ['POST', '/object/list/private', 'null'],
    ['POST', '/object/list/private', '{"prefix":"","limit":0}'],
    ['POST', '/object/list/private', '{"prefix":"","offset":-1}'],
    ['POST', '/object/list/private', '{"prefix":"folder"}'],
    ['POST', '/bucket', '{"name":"../x","file_size_limit":1,"allowed_mime_types":[]}'],
    ['POST', '/bucket', '{"name":"x","file_size_limit":"1 gigabyte","allowed_mime_types":[]}'],
    ['DELETE', '/object/private', '{"prefixes":"a"}'],
    ['DELETE', '/object/private', ''],
  ])('%s %s with %s is refused', async (method, path, body) => {
    expect(await storage.raw(method, path, SERVICE_JSON, body)).toMatchObject(REFUSAL.invalid);
  });

  test.each([
    ['GET', '/object'],
    ['GET', '/buckets'],
    ['GET', '/../../etc/passwd'],
    ['POST', '/object/move'],
    ['POST', '/object/copy'],
  ])('%s %s is no route', async (method, path) => {
    const { status, statusCode, error } = await storage.raw(method, path);
    expect({ status, statusCode, error }).toMatchObject({ status: 404 });
  });
});
