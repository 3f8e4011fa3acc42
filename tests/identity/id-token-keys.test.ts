import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { bring, type Claims, phoneClaims, signingInThrough } from '../support/id-tokens.ts';
import {
  type IdentityProvider,
  newKey,
  signedBy,
  startIdentityProvider,
  type Trouble,
} from '../support/identity-provider.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aPhone } from '../support/people.ts';
import type { Reply } from '../support/reply.ts';
import { withShortTimeouts } from '../support/short-timeouts.ts';
import { besides } from '../support/sign-in.ts';

/** What all servers here are on. Keys are known to each server by itself. */
let shared: Opine;

beforeAll(async () => {
  shared = await startOpine();
});

afterAll(() => shared.stop());

/** A server that has not met its provider yet, and the provider. */
async function strangers(): Promise<{ opine: Opine; provider: IdentityProvider }> {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.close());
  return { provider, opine: { ...shared, url: await besides(shared, signingInThrough(provider)) } };
}

/** The same once somebody has signed in: the keys are known. */
async function acquainted(): Promise<{ opine: Opine; provider: IdentityProvider }> {
  const both = await strangers();
  expect((await signIn(both)).status).toBe(200);
  return both;
}

/** Somebody new brings a token by the provider's newest key. */
async function signIn({ opine, provider }: { opine: Opine; provider: IdentityProvider }): Promise<Reply> {
  return bring(aGuest(opine), await provider.sign(phoneClaims(aPhone())));
}

/** Somebody brings a token under a key id that the provider has never had. */
async function bringUnknown(opine: Opine, index: number, claims: Claims = phoneClaims(aPhone())) {
  const key = await newKey('ES256', `nobody's key ${index}`);
  return bring(aGuest(opine), await signedBy(key.privateJwk, claims));
}

/** `count` tokens under as many unknown key ids, all at once; also how often the provider may be asked meanwhile. */
async function flood(opine: Opine, count: number): Promise<{ replies: Reply[]; allowed: number }> {
  const began = performance.now();
  const replies = await Promise.all(Array.from({ length: count }, (_, index) => bringUnknown(opine, index)));
  return { replies, allowed: 5 + Math.ceil((performance.now() - began) / 10_000) };
}

describe("a provider's keys", () => {
  test('are fetched once for many sign-ins', async () => {
    const both = await acquainted();
    for (const _ of [1, 2, 3]) expect((await signIn(both)).status).toBe(200);
    expect(both.provider.fetchCount).toBe(1);
  });

  test('are not fetched again for a bad signature under a known id', async () => {
    const { opine, provider } = await acquainted();
    const foreign = await newKey('RS256', provider.keyOf('RS256').kid);
    const token = await signedBy(foreign.privateJwk, phoneClaims(aPhone()));
    expect(await bring(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(provider.fetchCount).toBe(1);
  });

  test('may change: a new one is good at once, and so is the one before', async () => {
    const both = await acquainted();
    const { opine, provider } = both;
    const before = await provider.sign(phoneClaims(aPhone()));
    await provider.rotate();
    expect((await signIn(both)).status).toBe(200);
    expect((await bring(aGuest(opine), before)).status).toBe(200);
    expect(provider.fetchCount).toBe(2);
  });

  test('are asked for a few times only, however many ids nobody knows', async () => {
    const both = await acquainted();
    const { replies, allowed } = await flood(both.opine, 40);
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(401));
    expect(both.provider.fetchCount - 1).toBeLessThanOrEqual(allowed);
    expect((await signIn(both)).status).toBe(200);
  });

  test('are known after a flood that came before the first good token', async () => {
    const both = await strangers();
    const { allowed } = await flood(both.opine, 40);
    expect((await signIn(both)).status).toBe(200);
    expect(both.provider.fetchCount - 1).toBeLessThanOrEqual(allowed);
  });
});

/** What a provider in trouble answers. */
const TROUBLES: readonly (readonly [string, Trouble])[] = [
  ['an error', { status: 500, body: '{"keys":[]}' }],
  ['that it has no such page', { status: 404, body: 'Not found' }],
  ['a page', { status: 200, body: '<!doctype html><title>Be right back</title>' }],
  ['half of its keys', { status: 200, body: '{"keys":[{"kty":"RSA",' }],
  ['no list of keys', { status: 200, body: '{}' }],
  ['keys that are none', { status: 200, body: '{"keys":"none"}' }],
  ['null', { status: 200, body: 'null' }],
  ['by closing the connection', 'reset'],
  ['never', 'hang'],
];

describe('while the keys are not known and the provider', () => {
  test.for(TROUBLES)('answers %s, sign-in is unavailable; then it works', async ([, trouble]) => {
    const both = await strangers();
    both.provider.fail(trouble);
    const reply = await withShortTimeouts(5, () => signIn(both));
    expect(reply).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await both.provider.recover();
    expect((await signIn(both)).status).toBe(200);
  });

  test('is gone, sign-in is unavailable; then it works', async () => {
    const both = await strangers();
    await both.provider.vanish();
    expect(await signIn(both)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await both.provider.recover();
    expect((await signIn(both)).status).toBe(200);
  });

  test('fails, it is asked a few times only, and everybody is told to come back', async () => {
    const { opine, provider } = await strangers();
    provider.fail({ status: 500, body: '' });
    const { replies, allowed } = await flood(opine, 20);
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(503));
    expect(provider.fetchCount).toBeLessThanOrEqual(allowed);
  });
});

describe('while the provider is gone', () => {
  test('keys that are known are good', async () => {
    const both = await acquainted();
    await both.provider.vanish();
    expect((await signIn(both)).status).toBe(200);
  });

  test('keys that are known still tell a bad token', async () => {
    const { opine, provider } = await acquainted();
    await provider.vanish();
    const token = await provider.sign(phoneClaims(aPhone(), { aud: 'elsewhere' }));
    expect(await bring(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });

  test('a new key has to wait until it is back', async () => {
    const both = await acquainted();
    await both.provider.rotate();
    await both.provider.vanish();
    expect(await signIn(both)).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await both.provider.recover();
    expect((await signIn(both)).status).toBe(200);
  });

  test('whoever has a code signs in', async () => {
    const { opine, provider } = await strangers();
    await provider.vanish();
    const phoneNumber = aPhone();
    await aGuest(opine).post('/auth/otp/request', { phoneNumber });
    const { status } = await aGuest(opine).post('/auth/otp/verify', { phoneNumber, code: '4242' });
    expect(status).toBe(200);
  });
});

describe('the login screen', () => {
  const methods = async (opine: Opine) => (await aGuest(opine).get('/auth/login-config')).data.methods;

  test('offers the provider where there is one', async () => {
    const { opine } = await strangers();
    expect(await methods(opine)).toEqual(['phone_otp', 'idp', 'anonymous']);
  });

  test('does not where there is none, and a token finds nobody to check it', async () => {
    expect(await methods(shared)).toEqual(['phone_otp', 'anonymous']);
    expect(await bring(aGuest(shared), 'a.b.c')).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  });
});
