import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow, newKey, REFUSAL, startTestStorage, type TestStorage } from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('copy, move, remove and list', () => {
  test('copy keeps what the object says of itself, or takes what is said anew', async () => {
    const [key, target] = [newKey(), newKey()];
    const bucket = storage.bucket('private');
    await bucket.upload(key, 'content', { contentType: 'image/png', metadata: { a: 1 } });
    const { data } = await bucket.copy(key, target, { destinationBucket: 'other' });
    expect(data).toEqual({ path: `other/${target}` });
    const copied = { contentType: 'image/png', cacheControl: 'max-age=3600', metadata: { a: 1 }, size: 7 };
    expect((await storage.bucket('other').info(target)).data).toMatchObject(copied);
    await bucket.copy(key, `${target}2`, { copyMetadata: false, metadata: { mimetype: 'image/webp' } });
    const anew = { contentType: 'image/webp', cacheControl: 'max-age=3600', metadata: {} };
    expect((await bucket.info(`${target}2`)).data).toMatchObject(anew);
    await bucket.remove([key]);
    expect(await storage.contentOf(target, 'other')).toBe('content');
    expect(await storage.contentOf(`${target}2`)).toBe('content');
  });

  test('move renames, across buckets as well', async () => {
    const [key, target] = [await storage.store('content'), newKey()];
    const id = (await storage.bucket('private').info(key)).data?.id;
    const options = { destinationBucket: 'other' };
    const { data } = await storage.bucket('private').move(key, target, options);
    expect(data).toEqual({ message: 'Successfully moved' });
    expect((await storage.bucket('private').exists(key)).data).toBe(false);
    expect((await storage.bucket('other').info(target)).data?.id).toBe(id);
    expect((await storage.bucket('other').move(target, target)).error).toBeNull();
    expect(await storage.contentOf(target, 'other')).toBe('content');
  });

  test('neither takes a name that is taken, a source or a bucket that is not there', async () => {
    const [key, taken] = [await storage.store('content'), await storage.store('taken')];
    const bucket = storage.bucket('private');
    expect((await bucket.copy(key, taken)).error).toMatchObject(REFUSAL.keyTaken);
    const resourceTaken = { status: 400, statusCode: '409', code: 'ResourceAlreadyExists' };
    expect((await bucket.move(key, taken)).error).toMatchObject(resourceTaken);
    for (const change of ['copy', 'move'] as const) {
      expect((await bucket[change]('nothing', newKey())).error).toMatchObject(REFUSAL.noKey);
      const nowhere = await bucket[change](key, newKey(), { destinationBucket: 'missing' });
      expect(nowhere.error).toMatchObject({ status: 400, statusCode: '404', code: 'InvalidRequest' });
    }
    expect([await storage.contentOf(key), await storage.contentOf(taken)]).toEqual(['content', 'taken']);
  });

  test('of many moves of one object one succeeds', async () => {
    const key = await storage.store('content');
    const targets = Array.from({ length: 8 }, () => newKey());
    const moves = await Promise.all(targets.map((target) => storage.bucket('private').move(key, target)));
    expect(moves.filter(({ error }) => error === null)).toHaveLength(1);
    const contents = await Promise.all(targets.map((target) => storage.contentOf(target)));
    expect(contents.filter((content) => content !== undefined)).toEqual(['content']);
  });

  test('remove tells what it removed, and leaves no file behind', async () => {
    const files = (await filesBelow(storage.directory)).length;
    const keys = [await storage.store('a'), await storage.store('b')];
    const { data } = await storage.bucket('private').remove([...keys, 'nothing']);
    expect(data).toEqual(keys.map((name) => expect.objectContaining({ name, bucket_id: 'private' })));
    expect((await storage.bucket('private').info(keys[0] ?? '')).error).toMatchObject(REFUSAL.noKey);
    expect((await filesBelow(storage.directory)).length).toBe(files);
    expect((await storage.bucket('private').remove(['nothing'])).data).toEqual([]);
    expect((await storage.bucket('private').remove([])).error).toMatchObject({ statusCode: '400' });
  });

  test('list shows one level: folders, and files with their metadata', async () => {
    const name = randomUUID();
    await storage.client.createBucket(name);
    const bucket = storage.bucket(name);
    for (const key of ['b.txt', 'Folder/x.txt', 'Folder/deep/y.txt', 'folder/z.txt', 'a.txt', 'c_.txt']) {
      await bucket.upload(key, key);
    }
    const names = async (...options: Parameters<typeof bucket.list>) =>
      (await bucket.list(...options)).data?.map((entry) => entry.name);
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c_.txt', 'Folder']);
    expect(await names('folder')).toEqual(['deep', 'x.txt', 'z.txt']);
    expect(await names('Folder/', { search: 'X' })).toEqual(['x.txt']);
    expect(await names('', { limit: 2, offset: 1 })).toEqual(['b.txt', 'c_.txt']);
    const descending = { column: 'name', order: 'desc' };
    expect(await names('', { sortBy: descending, limit: 3 })).toEqual(['folder', 'c_.txt', 'b.txt']);
    const newest = { column: 'created_at', order: 'desc' };
    expect(await names('', { sortBy: newest })).toEqual(['folder', 'c_.txt', 'a.txt', 'b.txt']);
    expect(await names('nowhere')).toEqual([]);
    const [file, , , folder] = (await bucket.list()).data ?? [];
    expect(file).toMatchObject({
      id: expect.any(String),
      metadata: { size: 5, mimetype: expect.any(String) },
    });
    expect(folder).toEqual({
      name: 'Folder',
      id: null,
      updated_at: null,
      created_at: null,
      last_accessed_at: null,
      metadata: null,
    });
  });
});
