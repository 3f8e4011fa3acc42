import { createHmac } from 'node:crypto';
import { exportSPKI, generateKeyPair, importJWK, type JWTPayload, SignJWT } from 'jose';
import { SIGNING_KEY } from './keys.ts';

type Forge = (claims: JWTPayload) => Promise<string>;

const HEADER = { alg: 'ES256', kid: SIGNING_KEY.kid, typ: 'JWT' };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What an access token says, unchecked. */
export function claimsOf(accessToken: string): JWTPayload {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
}

/** A token with our own signature. */
export async function signed(claims: JWTPayload, header: object = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ ...HEADER, ...header })
    .sign(await importJWK(SIGNING_KEY, 'ES256'));
}

/** A token by HMAC with our public key as the secret: what a verifier that trusts `alg` takes. */
async function byPublicKey(claims: JWTPayload): Promise<string> {
  const { d: _, ...publicJwk } = SIGNING_KEY;
  const key = await importJWK(publicJwk, 'ES256', { extractable: true });
  if (!(key instanceof CryptoKey)) throw new Error('A JWK of ES256 is a CryptoKey.');
  const content = `${encode({ ...HEADER, alg: 'HS256' })}.${encode(claims)}`;
  const secret = await exportSPKI(key);
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** A token by a key that we have never seen, under our own key's id or another. */
async function byForeignKey(claims: JWTPayload, header: object = {}): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT(claims).setProtectedHeader({ ...HEADER, ...header }).sign(privateKey);
}

const withoutSignature = (claims: JWTPayload, alg: string) =>
  `${encode({ ...HEADER, alg })}.${encode(claims)}.`;

async function withClaims(claims: JWTPayload, changes: JWTPayload): Promise<string> {
  const [header, , signature] = (await signed(claims)).split('.');
  return [header, encode({ ...claims, ...changes }), signature].join('.');
}

const NOBODY = '01990000-0000-7000-8000-000000000009';

/** Bearers made from the claims of a good access token, none of which is one. */
export const FORGERIES: readonly (readonly [string, Forge])[] = [
  ['alg none', async (claims) => withoutSignature(claims, 'none')],
  ['alg nOnE', async (claims) => withoutSignature(claims, 'nOnE')],
  ['no signature', async (claims) => withoutSignature(claims, 'ES256')],
  ['HS256 with the public key', byPublicKey],
  ['a wrong kid', (claims) => signed(claims, { kid: 'another-key' })],
  ['no kid and a foreign key', (claims) => byForeignKey(claims, { kid: undefined })],
  ['a foreign key under our kid', (claims) => byForeignKey(claims)],
  ['a foreign key of its own', (claims) => byForeignKey(claims, { kid: 'foreign' })],
  ['other claims under our signature', (claims) => withClaims(claims, { sub: NOBODY })],
  ['a later expiry under our signature', (claims) => withClaims(claims, { exp: 4_102_444_800 })],
  ['another issuer', (claims) => signed({ ...claims, iss: 'https://elsewhere.example/auth/v1' })],
  ['another audience', (claims) => signed({ ...claims, aud: 'elsewhere' })],
  ['another role', (claims) => signed({ ...claims, role: 'service_role' })],
  ['an unknown session', (claims) => signed({ ...claims, session_id: NOBODY })],
  ['no session', ({ session_id: _, ...claims }) => signed(claims)],
  ['a session that is no id', (claims) => signed({ ...claims, session_id: "'; select 1" })],
  ["a session that is another user's", (claims) => signed({ ...claims, sub: NOBODY })],
  ['no expiry', ({ exp: _, ...claims }) => signed(claims)],
  ['an expiry long past', (claims) => signed({ ...claims, iat: 915_148_800, exp: 915_149_700 })],
  ['critical headers', (claims) => byForeignKey(claims, { b64: true, crit: ['b64'] })],
  ['garbage', async () => 'garbage'],
  ['garbage in three parts', async () => 'a.b.c'],
  ['five parts', async (claims) => `${await signed(claims)}.x.y`],
  ['nothing', async () => ''],
  ['ten thousand characters', async () => 'x'.repeat(10_000)],
  ['null as claims', async () => `${encode(HEADER)}.${Buffer.from('null').toString('base64url')}.c2ln`],
];
