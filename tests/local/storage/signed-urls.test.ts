import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageAt } from '../../support/supabase-storage.ts';
import { newKey, REFUSAL, signToken, startTestStorage, type TestStorage } from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('signed URLs', () => {
  async function uploadUrl(key: string, upsert = false): Promise<{ path: string; token: string }> {
    const { data } = await storage.bucket('private').createSignedUploadUrl(key, { upsert });
    const { pathname, search } = new URL(data?.signedUrl ?? '');
    return { path: (pathname + search).replace('/storage/v1', ''), token: data?.token ?? '' };
  }
  async function downloadUrl(key: string): Promise<{ path: string; token: string }> {
    const { data } = await storage.bucket('private').createSignedUrl(key, 60);
    const { pathname, search, searchParams } = new URL(data?.signedUrl ?? '');
    return { path: (pathname + search).replace('/storage/v1', ''), token: searchParams.get('token') ?? '' };
  }
  const badSignature = { status: 400, statusCode: '400', code: 'InvalidSignature' };

  test('upload: once, by whoever holds it', async () => {
    const key = newKey();
    const { path } = await uploadUrl(key);
    const headers = { 'content-type': 'image/png', 'cache-control': 'max-age=5' };
    const answer = await storage.put(path, 'plain', headers);
    expect(answer).toMatchObject({ status: 200, answer: JSON.stringify({ Key: `private/${key}` }) });
    expect((await storage.bucket('private').info(key)).data).toMatchObject({
      contentType: 'image/png',
      cacheControl: 'max-age=5',
      size: 5,
    });
    expect(await storage.put(path, 'again')).toMatchObject({ ...REFUSAL.keyTaken, error: 'Duplicate' });
    expect(await storage.put(path, 'again', { 'x-upsert': 'true' })).toMatchObject(REFUSAL.keyTaken);
    expect((await storage.bucket('private').createSignedUploadUrl(key)).error).toMatchObject(
      REFUSAL.keyTaken,
    );
    expect(await storage.contentOf(key)).toBe('plain');
    expect((await storage.put((await uploadUrl(key, true)).path, 'upsert')).status).toBe(200);
    expect(await storage.contentOf(key)).toBe('upsert');
  });

  test('upload: as supabase-js sends a form, without a key', async () => {
    const key = newKey();
    const { token } = await uploadUrl(key);
    const anybody = storageAt(storage.url).from('private');
    const { data } = await anybody.uploadToSignedUrl(key, token, new Blob(['form'], { type: 'image/webp' }));
    expect(data).toEqual({ path: key, fullPath: `private/${key}` });
    expect((await storage.bucket('private').info(key)).data).toMatchObject({
      contentType: 'image/webp',
      size: 4,
    });
  });

  test('download: by whoever holds it, until it expires', async () => {
    const key = await storage.store('content');
    const { path } = await downloadUrl(key);
    const { status, answer, headers } = await storage.raw('GET', path, {});
    expect({ status, answer }).toEqual({ status: 200, answer: 'content' });
    expect(headers).toMatchObject({ expires: expect.stringMatching(/GMT$/), 'content-type': 'text/plain' });
    expect(headers['cache-control']).toBeUndefined();
    expect((await storage.raw('GET', path, { range: 'bytes=0-2' })).answer).toBe('con');
    expect((await storage.bucket('private').createSignedUrl(key, 0)).error).toMatchObject({
      statusCode: '400',
    });
  });

  test('a token opens nothing but its object, for its action', async () => {
    const key = await storage.store('content');
    const neighbour = await storage.store('neighbour');
    await storage.bucket('other').upload(key, 'elsewhere');
    const [download, upload] = [(await downloadUrl(key)).token, (await uploadUrl(key, true)).token];
    for (const name of [`private/${neighbour}`, `other/${key}`, `open/${key}`, `private/${key}.txt`]) {
      const read = await storage.raw('GET', `/object/sign/${name}?token=${download}`, {});
      expect(read).toMatchObject(badSignature);
      const written = await storage.put(`/object/upload/sign/${name}?token=${upload}`, 'bad');
      expect(written).toMatchObject(badSignature);
    }
    const path = `private/${key}`;
    const scope = { ...badSignature, message: expect.stringContaining('not scoped') };
    expect(await storage.raw('GET', `/object/sign/${path}?token=${upload}`, {})).toMatchObject(scope);
    expect(await storage.put(`/object/upload/sign/${path}?token=${download}`, 'bad')).toMatchObject(scope);
    const other = await signToken({ role: 'service_role' });
    expect(await storage.raw('GET', `/object/sign/${path}?token=${other}`, {})).toMatchObject(badSignature);
    const contents = [storage.contentOf(key), storage.contentOf(neighbour), storage.contentOf(key, 'other')];
    expect(await Promise.all(contents)).toEqual(['content', 'neighbour', 'elsewhere']);
  });

  test('a token that is expired, forged, unending or none', async () => {
    const key = await storage.store('content');
    const url = `private/${key}`;
    const [header, payload] = (await downloadUrl(key)).token.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const forged = [
      await signToken({ url, scope: 'download' }, '1 minute ago'),
      await signToken({ url, scope: 'upload' }, '1 minute ago'),
      await signToken({ url, scope: 'download' }, '1h', 'other secret'),
      await signToken({ url, scope: 'upload' }, '1h', 'other secret'),
      await signToken({ url, scope: 'download' }, null),
      ...[`${none}.${payload}.`, `${header}.${payload}.`, 'nonsense', ''],
    ];
    for (const token of forged) {
      const invalid = { status: 400, statusCode: '400', code: 'InvalidJWT', error: 'InvalidJWT' };
      expect(await storage.raw('GET', `/object/sign/${url}?token=${token}`, {})).toMatchObject(invalid);
      expect(await storage.put(`/object/upload/sign/${url}?token=${token}`, 'bad')).toMatchObject(invalid);
    }
    for (const method of ['GET', 'PUT']) {
      const path = `/object/${method === 'PUT' ? 'upload/' : ''}sign/${url}`;
      expect(await storage.raw(method, path, {})).toMatchObject({ status: 400, code: 'InvalidRequest' });
    }
    const local = await signToken({ url, scope: 'download' });
    expect((await storage.raw('GET', `/object/sign/${url}?token=${local}`, {})).answer).toBe('content');
  });
});
