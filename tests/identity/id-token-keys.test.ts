import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Reply, refusal } from '../support/client.ts';
import { stopTimeouts } from '../support/clock.ts';
import { type Claims, idpEnvironment, phoneClaims, signInWithIdToken } from '../support/id-tokens.ts';
import {
  type IdentityProvider,
  newKey,
  signedBy,
  startIdentityProvider,
} from '../support/identity-provider.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, newPhoneNumber } from '../support/people.ts';
import { anotherServer } from '../support/sign-in.ts';
import { eventually } from '../support/streams.ts';

/** Provides the database of all servers here. Each server caches keys by itself. */
let shared: Opine;

beforeAll(async () => {
  shared = await startOpine();
});

afterAll(() => shared.stop());

interface TrustingServer {
  readonly opine: Opine;
  readonly provider: IdentityProvider;
}

/** Starts a server and its provider, whose keys the server has not fetched yet. */
async function serverWithoutKeys(): Promise<TrustingServer> {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.close());
  return { provider, opine: { ...shared, url: await anotherServer(shared, idpEnvironment(provider)) } };
}

/** Starts a server that has fetched the keys of its provider. */
async function serverWithKeys(): Promise<TrustingServer> {
  const server = await serverWithoutKeys();
  expect((await signIn(server)).status).toBe(200);
  return server;
}

/** Signs a new user in with an ID token of the provider's newest key. */
async function signIn({ opine, provider }: TrustingServer): Promise<Reply> {
  return signInWithIdToken(aGuest(opine), await provider.sign(phoneClaims(newPhoneNumber())));
}

/** Sends an ID token under a key id that the provider has never had. */
async function signInByUnknownKey(
  opine: Opine,
  index: number,
  claims: Claims = phoneClaims(newPhoneNumber()),
) {
  const key = await newKey('ES256', `nobody's key ${index}`);
  return signInWithIdToken(aGuest(opine), await signedBy(key.privateJwk, claims));
}

/** Sends `count` ID tokens under unknown key ids at once; `allowed` limits the fetches of keys meanwhile. */
async function flood(opine: Opine, count: number): Promise<{ replies: Reply[]; allowed: number }> {
  const began = performance.now();
  const replies = await Promise.all(
    Array.from({ length: count }, (_, index) => signInByUnknownKey(opine, index)),
  );
  return { replies, allowed: 5 + Math.ceil((performance.now() - began) / 10_000) };
}

describe('the keys of an identity provider', () => {
  test('several sign-ins fetch the keys once', async () => {
    const server = await serverWithKeys();
    for (const _ of [1, 2, 3]) expect((await signIn(server)).status).toBe(200);
    expect(server.provider.fetchCount).toBe(1);
  });

  test('a bad signature under a known key id does not fetch the keys again', async () => {
    const { opine, provider } = await serverWithKeys();
    const foreign = await newKey('RS256', provider.keyOf('RS256').kid);
    const token = await signedBy(foreign.privateJwk, phoneClaims(newPhoneNumber()));
    expect(await signInWithIdToken(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(provider.fetchCount).toBe(1);
  });

  test('a new key is accepted at once, and so is the one before', async () => {
    const server = await serverWithKeys();
    const { opine, provider } = server;
    const before = await provider.sign(phoneClaims(newPhoneNumber()));
    await provider.rotate();
    expect((await signIn(server)).status).toBe(200);
    expect((await signInWithIdToken(aGuest(opine), before)).status).toBe(200);
    expect(provider.fetchCount).toBe(2);
  });

  test('tokens under 40 unknown key ids fetch the keys a few times only', async () => {
    const server = await serverWithKeys();
    const { replies, allowed } = await flood(server.opine, 40);
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(401));
    expect(server.provider.fetchCount - 1).toBeLessThanOrEqual(allowed);
    expect((await signIn(server)).status).toBe(200);
  });

  test('a flood of unknown key ids before the first good token does not prevent sign-in', async () => {
    const server = await serverWithoutKeys();
    const { allowed } = await flood(server.opine, 40);
    expect((await signIn(server)).status).toBe(200);
    expect(server.provider.fetchCount - 1).toBeLessThanOrEqual(allowed);
  });
});

/** Failures of the provider's key endpoint. */
const FAILURES: readonly (readonly [string, FakeAnswer])[] = [
  ['500', { status: 500, body: '{"keys":[]}' }],
  ['404', { status: 404, body: 'Not found' }],
  ['an HTML page', { status: 200, body: '<!doctype html><title>Be right back</title>' }],
  ['truncated JSON', { status: 200, body: '{"keys":[{"kty":"RSA",' }],
  ['no list of keys', { status: 200, body: '{}' }],
  ['keys that are not a list', { status: 200, body: '{"keys":"none"}' }],
  ['null', { status: 200, body: 'null' }],
  ['with a closed connection', 'reset'],
  ['nothing', 'hang'],
];

describe('an identity provider that fails before its keys are known', () => {
  test.for(FAILURES)(
    'a provider that answers %s makes sign-in answer 503 until it recovers',
    async ([, failure]) => {
      const server = await serverWithoutKeys();
      server.provider.fail(failure);
      const passTime = stopTimeouts();
      const reply = signIn(server);
      await eventually(() => server.provider.fetchCount).toBe(1);
      passTime(5_000);
      expect(await reply).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
      await server.provider.recover();
      expect((await signIn(server)).status).toBe(200);
    },
  );

  test('a provider that is gone makes sign-in answer 503 until it is back', async () => {
    const server = await serverWithoutKeys();
    await server.provider.vanish();
    expect(await signIn(server)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await server.provider.recover();
    expect((await signIn(server)).status).toBe(200);
  });

  test('20 sign-ins request the keys of a failing provider a few times only, and all get 503', async () => {
    const { opine, provider } = await serverWithoutKeys();
    provider.fail({ status: 500, body: '' });
    const { replies, allowed } = await flood(opine, 20);
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(503));
    expect(provider.fetchCount).toBeLessThanOrEqual(allowed);
  });
});

describe('an identity provider that is gone after its keys are known', () => {
  test('an ID token of a known key signs in', async () => {
    const server = await serverWithKeys();
    await server.provider.vanish();
    expect((await signIn(server)).status).toBe(200);
  });

  test('an ID token of another audience gets 401', async () => {
    const { opine, provider } = await serverWithKeys();
    await provider.vanish();
    const token = await provider.sign(phoneClaims(newPhoneNumber(), { aud: 'elsewhere' }));
    expect(await signInWithIdToken(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('an ID token of a new key gets 503 until the provider is back', async () => {
    const server = await serverWithKeys();
    await server.provider.rotate();
    await server.provider.vanish();
    expect(await signIn(server)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await server.provider.recover();
    expect((await signIn(server)).status).toBe(200);
  });

  test('a phone with a code signs in', async () => {
    const { opine, provider } = await serverWithoutKeys();
    await provider.vanish();
    const phoneNumber = newPhoneNumber();
    await aGuest(opine).post('/auth/otp/request', { phoneNumber });
    const { status } = await aGuest(opine).post('/auth/otp/verify', { phoneNumber, code: '4242' });
    expect(status).toBe(200);
  });
});

test('without an identity provider the login screen does not offer it, and an ID token gets 503', async () => {
  const { data } = await aGuest(shared).get('/auth/login-config');
  expect(data.methods).toEqual(['phone_otp', 'anonymous']);
  expect(await signInWithIdToken(aGuest(shared), 'a.b.c')).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
});
