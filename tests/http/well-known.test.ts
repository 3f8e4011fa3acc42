import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { claimsOf } from '../support/forgeries.ts';
import { newKey, signedBy } from '../support/identity-provider.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { anAnonymous } from '../support/people.ts';
import { readReply } from '../support/reply.ts';

const { privateJwk: NEXT_KEY, publicJwk: NEXT_PUBLIC_KEY } = await newKey('ES256', 'next-key-of-tests');

/** Keys as the configuration holds them. */
const configured = (...keys: object[]) => ({ JWT_SIGNING_KEYS: JSON.stringify(keys) });

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine(configured(SIGNING_KEY, NEXT_KEY));
});

afterAll(() => opine.stop());

const jwksUrl = ({ url }: { url: string }) => new URL('/.well-known/jwks.json', url);

async function publishedBy(server: { url: string }): Promise<Json[]> {
  const response = await fetch(jwksUrl(server));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/(jwk-set\+)?json/);
  expect(response.headers.get('x-request-id')).toMatch(/\S/);
  const body: Json = await response.json();
  expect(Object.keys(body)).toEqual(['keys']);
  return body.keys;
}

/** The same Opine started anew with other keys, for one test. */
async function restartedWith(...keys: object[]): Promise<{ url: string }> {
  const server = await startServer({ ...testEnvironment(opine.database), ...configured(...keys) });
  onTestFinished(() => server.stop());
  return server;
}

/** What a stranger who trusts the published keys reads in a token. */
const readAsStranger = (server: { url: string }, token: string) =>
  jwtVerify(token, createRemoteJWKSet(jwksUrl(server)), { algorithms: ['ES256'], audience: 'authenticated' });

const isOpenTo = async (server: { url: string }, accessToken: string) =>
  (await clientOf(server.url, accessToken).get('/users/me/onboarding/status')).status === 200;

describe('the published keys', () => {
  test('are the public halves of all that are configured, the one that signs first', async () => {
    expect(await publishedBy(opine)).toEqual(
      [SIGNING_KEY, NEXT_KEY].map(({ kid, x, y }) =>
        expect.objectContaining({ kid, x, y, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }),
      ),
    );
  });

  test('hold nothing private', async () => {
    for (const key of await publishedBy(opine)) expect(key).not.toHaveProperty('d');
    const text = await (await fetch(jwksUrl(opine))).text();
    expect(text).not.toContain(SIGNING_KEY.d);
    expect(text).not.toContain(NEXT_KEY.d);
  });

  test('are at the root, and not below the API', async () => {
    const reply = await clientOf(opine.url).get('/.well-known/jwks.json');
    expect(reply).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('are not to be changed by %s', async (method) => {
    const reply = await readReply(await fetch(jwksUrl(opine), { method }));
    expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
    expect(reply.headers.get('allow')).toContain('GET');
  });
});

describe('an access token', () => {
  test('is signed by the first key, and whoever has the published keys can read it', async () => {
    const { id, session } = await anAnonymous(opine);
    const { payload, protectedHeader } = await readAsStranger(opine, session.accessToken);
    expect(payload).toMatchObject({ sub: id, role: 'authenticated' });
    expect(protectedHeader.kid).toBe(SIGNING_KEY.kid);
  });

  test('by the second key is as good', async () => {
    const { session, id } = await anAnonymous(opine);
    const token = await signedBy(NEXT_KEY, claimsOf(session.accessToken));
    expect(decodeProtectedHeader(token).kid).toBe(NEXT_KEY.kid);
    expect(await isOpenTo(opine, token)).toBe(true);
    expect((await readAsStranger(opine, token)).payload.sub).toBe(id);
  });

  test('by a key under the id of another is not', async () => {
    const { session } = await anAnonymous(opine);
    const token = await signedBy(NEXT_KEY, claimsOf(session.accessToken), { kid: SIGNING_KEY.kid });
    expect(await isOpenTo(opine, token)).toBe(false);
    await expect(readAsStranger(opine, token)).rejects.toThrow(errors.JWSSignatureVerificationFailed);
  });
});

describe('keys change places:', () => {
  test('a key that no longer signs verifies what it signed, without its private half', async () => {
    const { session } = await anAnonymous(opine);
    const { d: _, ...publicKey } = SIGNING_KEY;
    const restarted = await restartedWith(NEXT_KEY, publicKey);
    expect(await isOpenTo(restarted, session.accessToken)).toBe(true);
    const next = await anAnonymous(restartedOpine(restarted));
    expect(decodeProtectedHeader(next.session.accessToken).kid).toBe(NEXT_KEY.kid);
    expect(await isOpenTo(opine, next.session.accessToken)).toBe(true);
    expect((await publishedBy(restarted)).map(({ kid }) => kid)).toEqual([NEXT_KEY.kid, SIGNING_KEY.kid]);
  });

  test('a key that is gone opens nothing', async () => {
    const { session } = await anAnonymous(opine);
    const restarted = await restartedWith(NEXT_KEY);
    expect(await isOpenTo(restarted, session.accessToken)).toBe(false);
    expect(await publishedBy(restarted)).toEqual([expect.objectContaining({ kid: NEXT_KEY.kid })]);
  });

  test('a key that is only announced is published and verifies', async () => {
    const restarted = await restartedWith(SIGNING_KEY, NEXT_PUBLIC_KEY);
    const { session } = await anAnonymous(restartedOpine(restarted));
    expect(decodeProtectedHeader(session.accessToken).kid).toBe(SIGNING_KEY.kid);
    expect(await isOpenTo(restarted, await signedBy(NEXT_KEY, claimsOf(session.accessToken)))).toBe(true);
  });
});

const restartedOpine = ({ url }: { url: string }): Opine => ({ ...opine, url });
