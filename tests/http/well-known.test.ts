import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { clientOf, type Json, readReply, refusal } from '../support/client.ts';
import { claimsOf } from '../support/forgeries.ts';
import { newKey, signedBy } from '../support/identity-provider.ts';
import { SIGNING_KEY } from '../support/keys.ts';
import { type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { anonymousPerson } from '../support/people.ts';

const { privateJwk: NEXT_KEY, publicJwk: NEXT_PUBLIC_KEY } = await newKey('ES256', 'next-key-of-tests');

/** Returns the environment that configures these signing keys. */
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

/** Starts another server on the same database with other keys, for one test. */
async function restartedWith(...keys: object[]): Promise<{ url: string }> {
  const server = await startServer({ ...testEnvironment(opine.database), ...configured(...keys) });
  onTestFinished(() => server.stop());
  return server;
}

/** Verifies a token as a third party does, with the published keys alone. */
const verifyByJwks = (server: { url: string }, token: string) =>
  jwtVerify(token, createRemoteJWKSet(jwksUrl(server)), { algorithms: ['ES256'], audience: 'authenticated' });

const isAccepted = async (server: { url: string }, accessToken: string) =>
  (await clientOf(server.url, accessToken).get('/users/me/onboarding/status')).status === 200;

describe('GET /.well-known/jwks.json', () => {
  test('the response has the public parts of all configured keys, the signing key first', async () => {
    expect(await publishedBy(opine)).toEqual(
      [SIGNING_KEY, NEXT_KEY].map(({ kid, x, y }) =>
        expect.objectContaining({ kid, x, y, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }),
      ),
    );
  });

  test('the response has no private key', async () => {
    for (const key of await publishedBy(opine)) expect(key).not.toHaveProperty('d');
    const text = await (await fetch(jwksUrl(opine))).text();
    expect(text).not.toContain(SIGNING_KEY.d);
    expect(text).not.toContain(NEXT_KEY.d);
  });

  test('the path under /api/v1 is not found', async () => {
    const reply = await clientOf(opine.url).get('/.well-known/jwks.json');
    expect(reply).toMatchObject(refusal(404, 'ROUTE_NOT_FOUND'));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused with 405', async (method) => {
    const reply = await readReply(await fetch(jwksUrl(opine), { method }));
    expect(reply).toMatchObject(refusal(405, 'METHOD_NOT_ALLOWED'));
    expect(reply.headers.get('allow')).toContain('GET');
  });
});

describe('an access token', () => {
  test('an access token is signed by the first key and verifies with the published keys', async () => {
    const { id, session } = await anonymousPerson(opine);
    const { payload, protectedHeader } = await verifyByJwks(opine, session.accessToken);
    expect(payload).toMatchObject({ sub: id, role: 'authenticated' });
    expect(protectedHeader.kid).toBe(SIGNING_KEY.kid);
  });

  test('a token signed by the second key is accepted', async () => {
    const { session, id } = await anonymousPerson(opine);
    const token = await signedBy(NEXT_KEY, claimsOf(session.accessToken));
    expect(decodeProtectedHeader(token).kid).toBe(NEXT_KEY.kid);
    expect(await isAccepted(opine, token)).toBe(true);
    expect((await verifyByJwks(opine, token)).payload.sub).toBe(id);
  });

  test('a token signed by one key under the kid of another is refused', async () => {
    const { session } = await anonymousPerson(opine);
    const token = await signedBy(NEXT_KEY, claimsOf(session.accessToken), { kid: SIGNING_KEY.kid });
    expect(await isAccepted(opine, token)).toBe(false);
    await expect(verifyByJwks(opine, token)).rejects.toThrow(errors.JWSSignatureVerificationFailed);
  });
});

describe('key rotation', () => {
  test('tokens of a former signing key verify with its public part alone', async () => {
    const { session } = await anonymousPerson(opine);
    const { d: _, ...publicKey } = SIGNING_KEY;
    const restarted = await restartedWith(NEXT_KEY, publicKey);
    expect(await isAccepted(restarted, session.accessToken)).toBe(true);
    const next = await anonymousPerson(restartedOpine(restarted));
    expect(decodeProtectedHeader(next.session.accessToken).kid).toBe(NEXT_KEY.kid);
    expect(await isAccepted(opine, next.session.accessToken)).toBe(true);
    expect((await publishedBy(restarted)).map(({ kid }) => kid)).toEqual([NEXT_KEY.kid, SIGNING_KEY.kid]);
  });

  test('tokens of a removed key are refused', async () => {
    const { session } = await anonymousPerson(opine);
    const restarted = await restartedWith(NEXT_KEY);
    expect(await isAccepted(restarted, session.accessToken)).toBe(false);
    expect(await publishedBy(restarted)).toEqual([expect.objectContaining({ kid: NEXT_KEY.kid })]);
  });

  test('a public key that does not sign yet is published and verifies tokens', async () => {
    const restarted = await restartedWith(SIGNING_KEY, NEXT_PUBLIC_KEY);
    const { session } = await anonymousPerson(restartedOpine(restarted));
    expect(decodeProtectedHeader(session.accessToken).kid).toBe(SIGNING_KEY.kid);
    expect(await isAccepted(restarted, await signedBy(NEXT_KEY, claimsOf(session.accessToken)))).toBe(true);
  });
});

const restartedOpine = ({ url }: { url: string }): Opine => ({ ...opine, url });
