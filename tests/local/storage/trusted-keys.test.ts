import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGNING_KEY } from '../../support/keys.ts';
import { startTestStorage, type TestStorage } from './harness.ts';

let storage: TestStorage;

beforeAll(async () => {
  storage = await startTestStorage();
});

afterAll(() => storage.stop());

/** The answer to whoever reads an object with a token that this key signed. */
async function readBy(key: JWK, kid = SIGNING_KEY.kid) {
  const object = `private/${await storage.store('content')}`;
  const token = await new SignJWT({ url: object, scope: 'download' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setExpirationTime('1h')
    .sign(await importJWK(key, 'ES256'));
  return storage.raw('GET', `/object/sign/${object}?token=${token}`, {});
}

async function aStrangersKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(privateKey)), alg: 'ES256' };
}

test('a token that a trusted key signed is as good as one of the service', async () => {
  expect(await readBy(SIGNING_KEY)).toMatchObject({ status: 200, answer: 'content' });
});

test.each([
  ['that a stranger signed by its name', async () => readBy(await aStrangersKey())],
  ['that names a key that nobody trusts', () => readBy(SIGNING_KEY, 'another')],
])('a token %s opens nothing', async (_, read) => {
  expect(await read()).toMatchObject({ status: 400, code: 'InvalidJWT' });
});
