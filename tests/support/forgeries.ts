import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK, type JWK, type JWTPayload } from 'jose';
import { NONEXISTENT } from './client.ts';
import type { Claims } from './id-tokens.ts';
import {
  type Algorithm,
  type IdentityProvider,
  newKey,
  type ProviderKey,
  signedBy,
} from './identity-provider.ts';
import { SIGNING_KEY } from './keys.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Decodes an access token without verifying it. */
export function claimsOf(accessToken: string): JWTPayload {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
}

/** Signs a token with our own key. */
export function signed(claims: JWTPayload, header: object = {}): Promise<string> {
  return signedBy(SIGNING_KEY, claims, header);
}

const unsigned = (claims: object, alg: string, kid: string) =>
  `${encode({ alg, kid, typ: 'JWT' })}.${encode(claims)}.`;

/** Signs by HMAC with the public key as the secret: what a verifier that trusts `alg` accepts. */
async function hs256(claims: object, publicJwk: JWK, algorithm: Algorithm, kid: string): Promise<string> {
  const key = await importJWK(publicJwk, algorithm, { extractable: true });
  if (!(key instanceof CryptoKey)) throw new Error('A public key is a CryptoKey.');
  const content = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${encode(claims)}`;
  const secret = await exportSPKI(key);
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

async function signedByForeignKey(
  claims: object,
  algorithm: Algorithm,
  header: (foreign: ProviderKey) => object,
): Promise<string> {
  const foreign = await newKey(algorithm, 'foreign');
  return signedBy(foreign.privateJwk, claims, header(foreign));
}

/** Replaces the claims of `token` and keeps its signature. */
function withOtherClaims(token: string, claims: object): string {
  const [header, , signature] = token.split('.');
  return [header, encode(claims), signature].join('.');
}

type AccessTokenForge = (claims: JWTPayload) => Promise<string>;

const { kid } = SIGNING_KEY;

const byForeignKey =
  (header: object = {}): AccessTokenForge =>
  (claims) =>
    signedByForeignKey(claims, 'ES256', () => ({ kid, ...header }));

const byPublicKey: AccessTokenForge = (claims) => {
  const { d: _, ...publicJwk } = SIGNING_KEY;
  return hs256(claims, publicJwk, 'ES256', kid);
};

/** Invalid bearers, made from the claims of a valid access token. */
export const FORGED_ACCESS_TOKENS: readonly (readonly [string, AccessTokenForge])[] = [
  ['alg none', async (claims) => unsigned(claims, 'none', kid)],
  ['alg nOnE', async (claims) => unsigned(claims, 'nOnE', kid)],
  ['no signature', async (claims) => unsigned(claims, 'ES256', kid)],
  ['HS256 with the public key', byPublicKey],
  ['a wrong kid', (claims) => signed(claims, { kid: 'another-key' })],
  ['no kid and a foreign key', byForeignKey({ kid: undefined })],
  ['a foreign key under our kid', byForeignKey()],
  ['a foreign key under its own kid', byForeignKey({ kid: 'foreign' })],
  [
    'other claims under our signature',
    async (claims) => withOtherClaims(await signed(claims), { ...claims, sub: NONEXISTENT.id }),
  ],
  [
    'a later expiry under our signature',
    async (claims) => withOtherClaims(await signed(claims), { ...claims, exp: 4_102_444_800 }),
  ],
  ['another issuer', (claims) => signed({ ...claims, iss: 'https://elsewhere.example/auth/v1' })],
  ['another audience', (claims) => signed({ ...claims, aud: 'elsewhere' })],
  ['another role', (claims) => signed({ ...claims, role: 'service_role' })],
  ['an unknown session', (claims) => signed({ ...claims, session_id: NONEXISTENT.id })],
  ['no session', ({ session_id: _, ...claims }) => signed(claims)],
  ['a malformed session id', (claims) => signed({ ...claims, session_id: "'; select 1" })],
  ["another user's session", (claims) => signed({ ...claims, sub: NONEXISTENT.id })],
  ['no expiry', ({ exp: _, ...claims }) => signed(claims)],
  ['an expiry in 1999', (claims) => signed({ ...claims, iat: 915_148_800, exp: 915_149_700 })],
  ['critical headers', byForeignKey({ b64: true, crit: ['b64'] })],
  ['garbage', async () => 'garbage'],
  ['garbage in three parts', async () => 'a.b.c'],
  ['five parts', async (claims) => `${await signed(claims)}.x.y`],
  ['an empty token', async () => ''],
  ['ten thousand characters', async () => 'x'.repeat(10_000)],
  [
    'null as claims',
    async () =>
      `${encode({ alg: 'ES256', kid, typ: 'JWT' })}.${Buffer.from('null').toString('base64url')}.c2ln`,
  ],
];

type IdTokenForge = (provider: IdentityProvider, claims: Claims) => Promise<string>;

const withChanges =
  (changes: (now: number) => Claims): IdTokenForge =>
  (provider, claims) =>
    provider.sign({ ...claims, ...changes(Math.floor(Date.now() / 1000)) });

const withoutSignature =
  (alg: string): IdTokenForge =>
  async (provider, claims) =>
    unsigned(claims, alg, provider.keyOf('RS256').kid);

const byProviderPublicKey =
  (algorithm: Algorithm): IdTokenForge =>
  (provider, claims) => {
    const { publicJwk, kid: providerKid } = provider.keyOf(algorithm);
    return hs256(claims, publicJwk, algorithm, providerKid);
  };

const byKnownKey =
  (header: (provider: IdentityProvider) => object): IdTokenForge =>
  (provider, claims) =>
    signedBy(provider.keyOf('RS256').privateJwk, claims, header(provider));

const byUnknownKey =
  (algorithm: Algorithm, header: (foreign: ProviderKey) => object = () => ({})): IdTokenForge =>
  (provider, claims) =>
    signedByForeignKey(claims, algorithm, (foreign) => ({
      kid: provider.keyOf(algorithm).kid,
      ...header(foreign),
    }));

/** Invalid ID tokens, made from the claims of a valid one. */
export const FORGED_ID_TOKENS: readonly (readonly [string, IdTokenForge])[] = [
  ['alg none', withoutSignature('none')],
  ['alg nOnE', withoutSignature('nOnE')],
  ['no signature', withoutSignature('RS256')],
  ['HS256 with the public key of RS256', byProviderPublicKey('RS256')],
  ['HS256 with the public key of ES256', byProviderPublicKey('ES256')],
  ['PS256 by a known key', byKnownKey(() => ({ alg: 'PS256' }))],
  ['no kid and a foreign key', byUnknownKey('RS256', () => ({ kid: undefined }))],
  ['an unknown kid', byKnownKey(() => ({ kid: 'another' }))],
  ['the kid of a key of another algorithm', byKnownKey((provider) => ({ kid: provider.keyOf('ES256').kid }))],
  ['a foreign key under a known kid, RS256', byUnknownKey('RS256')],
  ['a foreign key under a known kid, ES256', byUnknownKey('ES256')],
  ['a foreign key under its own kid', byUnknownKey('RS256', (foreign) => ({ kid: foreign.kid }))],
  ['a foreign key in its jwk header', byUnknownKey('RS256', ({ publicJwk }) => ({ jwk: publicJwk }))],
  [
    'other claims under a good signature',
    async (provider, claims) =>
      withOtherClaims(await provider.sign(claims), { ...claims, sub: 'somebody-else' }),
  ],
  ['another issuer', withChanges(() => ({ iss: 'https://elsewhere.example' }))],
  ['no issuer', withChanges(() => ({ iss: undefined }))],
  ['another audience', withChanges(() => ({ aud: 'elsewhere' }))],
  ['no audience', withChanges(() => ({ aud: undefined }))],
  ['an expiry an hour ago', withChanges((now) => ({ iat: now - 7200, exp: now - 3600 }))],
  ['no expiry', withChanges(() => ({ exp: undefined }))],
  ['an issue time in the future', withChanges((now) => ({ iat: now + 3600, exp: now + 7200 }))],
  ['a not-before time in the future', withChanges((now) => ({ nbf: now + 3600 }))],
  ['no subject', withChanges(() => ({ sub: undefined }))],
  ['garbage', async () => 'garbage'],
  ['garbage in three parts', async () => 'a.b.c'],
  ['ten thousand characters', async () => 'x'.repeat(10_000)],
];
