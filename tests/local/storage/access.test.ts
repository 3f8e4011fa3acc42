import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SIGNING_KEY } from '../../support/keys.ts';
import {
  newKey,
  REFUSAL,
  SECRET_KEY,
  SERVICE,
  signToken,
  startTestStorage,
  type TestStorage,
} from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

describe('a caller without the secret key', async () => {
  const userToken = await signToken({ role: 'service_role' });

  test.each<[string, Record<string, string>]>([
    ['no key', {}],
    ['a longer key', { apikey: `${SECRET_KEY}x` }],
    ['a part of the key', { authorization: `Bearer ${SECRET_KEY.slice(0, -1)}` }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['a bearer of a user beside the key', { apikey: SECRET_KEY, authorization: `Bearer ${userToken}` }],
  ])('%s neither reads nor writes', async (_, credentials) => {
    const key = await storage.store('content');
    const body = JSON.stringify({ prefixes: [key], prefix: '', name: 'new' });
    const headers = { ...credentials, 'content-type': 'application/json' };
    const denied = { status: 400, code: expect.stringMatching(/^(AccessDenied|InvalidRequest)$/) };
    for (const [method, path] of [
      ['GET', '/bucket'],
      ['POST', '/bucket'],
      ['GET', `/object/private/${key}`],
      ['GET', `/object/info/private/${key}`],
      ['POST', `/object/private/${newKey()}`],
      ['POST', '/object/list/private'],
      ['DELETE', '/object/private'],
    ] as const) {
      expect(await storage.raw(method, path, headers, body), `${method} ${path}`).toMatchObject(denied);
    }
    expect(await storage.contentOf(key)).toBe('content');
  });

  test('the secret key counts as bearer and as apikey', async () => {
    for (const headers of [SERVICE, { apikey: SECRET_KEY }, { ...SERVICE, apikey: 'sb_publishable' }]) {
      expect((await storage.raw('GET', '/bucket', headers)).status).toBe(200);
    }
  });
});

describe('the token of a signed URL', () => {
  const read = (object: string, token: string) =>
    storage.raw('GET', `/object/sign/${object}?token=${token}`, {});
  const write = (object: string, token: string) =>
    storage.raw(
      'PUT',
      `/object/upload/sign/${object}?token=${token}`,
      { 'content-type': 'text/plain' },
      'bad',
    );
  const badSignature = { status: 400, statusCode: '400', code: 'InvalidSignature' };

  test('the token opens no other object and no other action', async () => {
    const key = await storage.store('content');
    const neighbour = await storage.store('neighbour');
    await storage.bucket('other').upload(key, 'elsewhere', { contentType: 'text/plain' });
    const url = `private/${key}`;
    const download = await signToken({ url, scope: 'download' });
    const upload = await signToken({ url, scope: 'upload', upsert: true });
    for (const object of [
      `private/${neighbour}`,
      `other/${key}`,
      `open/${key}`,
      `${url}.txt`,
      `${url}/more`,
    ]) {
      expect(await read(object, download)).toMatchObject(badSignature);
      expect(await write(object, upload)).toMatchObject(badSignature);
    }
    const wrongScope = { ...badSignature, message: expect.stringContaining('not scoped') };
    expect(await read(url, upload)).toMatchObject(wrongScope);
    expect(await write(url, download)).toMatchObject(wrongScope);
    expect(await read(url, await signToken({ role: 'service_role' }))).toMatchObject(badSignature);
    const contents = [storage.contentOf(key), storage.contentOf(neighbour), storage.contentOf(key, 'other')];
    expect(await Promise.all(contents)).toEqual(['content', 'neighbour', 'elsewhere']);
  });

  test('a token that is expired, forged, endless or malformed opens nothing', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const otherKey = await exportJWK(privateKey);
    const key = await storage.store('content');
    const url = `private/${key}`;
    for (const [scope, send] of [['download', read] as const, ['upload', write] as const]) {
      const claims = { url, scope, upsert: true };
      const [header, payload] = (await signToken(claims)).split('.');
      const none = Buffer.from('{"alg":"none"}').toString('base64url');
      for (const token of [
        await signToken(claims, '1 minute ago'),
        await signToken(claims, null),
        await signToken(claims, '1h', otherKey),
        await signToken(claims, '1h', SIGNING_KEY, 'unknown key'),
        ...[`${none}.${payload}.`, `${header}.${payload}.`, 'nonsense', ''],
      ]) {
        const invalid = { status: 400, statusCode: '400', code: 'InvalidJWT', error: 'InvalidJWT' };
        expect(await send(url, token)).toMatchObject(invalid);
      }
    }
    expect(await storage.contentOf(key)).toBe('content');
  });

  test.each([
    ['GET', '/object/sign/private/a'],
    ['PUT', '/object/upload/sign/private/a'],
  ])('%s %s without a token is refused', async (method, path) => {
    expect(await storage.raw(method, path, {})).toMatchObject(REFUSAL.invalid);
  });
});
