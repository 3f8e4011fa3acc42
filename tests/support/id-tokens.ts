import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK } from 'jose';
import type { Client, Reply } from './client.ts';
import {
  type Algorithm,
  type IdentityProvider,
  newKey,
  type ProviderKey,
  signedBy,
  startIdentityProvider,
} from './identity-provider.ts';
import { type Opine, startOpine } from './opine.ts';
import { aGuest } from './people.ts';

const PROJECT = 'opine-of-tests';
const FIREBASE = `https://securetoken.google.com/${PROJECT}`;
const STAFF_CLIENT = 'staff-pages-of-tests.apps.example';
const GOOGLE = 'https://accounts.google.com';

/** The domain whose people are staff. */
export const STAFF_DOMAIN = 'opine.example';

/** Claims, to add or to change; those that are `undefined` are left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** The environment of a server that lets users sign in through `provider`. */
export function signingInThrough({ jwksUrl }: IdentityProvider) {
  return { IDP_ISSUER: FIREBASE, IDP_AUDIENCE: PROJECT, IDP_JWKS_URL: jwksUrl };
}

/** The environment of a server that lets these of staff sign in through `provider`. */
export function staffThrough({ jwksUrl }: IdentityProvider, ...emails: string[]) {
  return {
    STAFF_IDP_CLIENT_ID: STAFF_CLIENT,
    STAFF_ALLOWED_DOMAIN: STAFF_DOMAIN,
    STAFF_IDP_JWKS_URL: jwksUrl,
    STAFF_ALLOWED_EMAILS: emails.join(','),
  };
}

/** An Opine with the provider that it trusts. */
export interface TrustingOpine extends Opine {
  readonly provider: IdentityProvider;
}

/** Starts an Opine that trusts a provider of its own, and these of staff. Stopped by its `stop`, with its provider. */
export async function startTrustingOpine(...staff: string[]): Promise<TrustingOpine> {
  const provider = await startIdentityProvider();
  const opine = await startOpine({ ...signingInThrough(provider), ...staffThrough(provider, ...staff) });
  return {
    ...opine,
    provider,
    stop: async () => {
      await opine.stop();
      await provider.close();
    },
  };
}

/** What Firebase says of somebody who proved a phone to it. */
export function phoneClaims(phoneNumber: unknown, changes: Claims = {}): Claims {
  return {
    ...firebaseClaims(`firebase-user-of-${phoneNumber}`),
    phone_number: phoneNumber,
    firebase: { identities: { phone: [phoneNumber] }, sign_in_provider: 'phone' },
    ...changes,
  };
}

/** What Firebase says of an install that it knows as `subject`. */
export function anonymousClaims(subject: string, changes: Claims = {}): Claims {
  return {
    ...firebaseClaims(subject),
    provider_id: 'anonymous',
    firebase: { identities: {}, sign_in_provider: 'anonymous' },
    ...changes,
  };
}

/** What Google says of somebody of staff. */
export function staffClaims(email: string, changes: Claims = {}): Claims {
  const now = seconds();
  return {
    iss: GOOGLE,
    aud: STAFF_CLIENT,
    azp: STAFF_CLIENT,
    sub: `google-user-of-${email}`,
    email,
    email_verified: true,
    hd: STAFF_DOMAIN,
    iat: now,
    exp: now + 3600,
    ...changes,
  };
}

function firebaseClaims(subject: string): Claims {
  const now = seconds();
  return {
    iss: FIREBASE,
    aud: PROJECT,
    sub: subject,
    user_id: subject,
    auth_time: now - 60,
    iat: now - 1,
    exp: now + 3600,
  };
}

/** A provider's tokens expire by its own clock, which no test moves. */
function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** `caller` brings an ID token to the app's sign-in. */
export function bring(caller: Client, idToken: unknown): Promise<Reply> {
  return caller.post('/auth/idp/token', { idToken });
}

/** Somebody brings an ID token to the staff's sign-in. */
export function bringAsStaff(opine: Opine, idToken: unknown): Promise<Reply> {
  return aGuest(opine).post('/admin/auth/idp', { idToken });
}

/** The staff session's cookie that an answer sets, as a browser sends it back. */
export function cookieOf({ headers }: Reply): string {
  const [cookie = ''] = headers.getSetCookie();
  return cookie.split(';', 1)[0] ?? '';
}

/** Somebody of staff signs in, as `provider` says that they may. */
export async function signInAsStaff(opine: Opine, provider: IdentityProvider, email: string): Promise<Reply> {
  return bringAsStaff(opine, await provider.sign(staffClaims(email)));
}

/** Somebody of staff who signed in, as the cookie that they were given. */
export async function aStaffCookie(opine: Opine, provider: IdentityProvider, email: string): Promise<string> {
  const reply = await signInAsStaff(opine, provider, email);
  if (reply.status !== 200) throw new Error(`Staff was refused: ${JSON.stringify(reply.error)}`);
  return cookieOf(reply);
}

/** `cookie` along with a request. */
export function withCookie(cookie: string) {
  return { headers: { cookie } };
}

/** What the staff session of `cookie` is, as the server says. */
export function staffSession(opine: Opine, cookie: string): Promise<Reply> {
  return aGuest(opine).get('/admin/auth/session', withCookie(cookie));
}

type Forge = (provider: IdentityProvider, claims: Claims) => Promise<string>;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const withChanges =
  (changes: (now: number) => Claims): Forge =>
  (provider, claims) =>
    provider.sign({ ...claims, ...changes(seconds()) });

/** A token by a key that the provider never had, under the id of one that it has or another. */
const byForeignKey =
  (algorithm: Algorithm, header: (foreign: ProviderKey) => object = () => ({})): Forge =>
  async (provider, claims) => {
    const foreign = await newKey(algorithm, 'foreign');
    const { kid } = provider.keyOf(algorithm);
    return signedBy(foreign.privateJwk, claims, { kid, ...header(foreign) });
  };

/** A token by HMAC with the public key as the secret: what a verifier that trusts `alg` takes. */
const byPublicKey =
  (algorithm: Algorithm): Forge =>
  async (provider, claims) => {
    const { publicJwk, kid } = provider.keyOf(algorithm);
    const key = await importJWK(publicJwk, algorithm, { extractable: true });
    if (!(key instanceof CryptoKey)) throw new Error('A public key is a CryptoKey.');
    const content = `${encode({ alg: 'HS256', kid, typ: 'JWT' })}.${encode(claims)}`;
    const secret = await exportSPKI(key);
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };

const withoutSignature =
  (alg: string): Forge =>
  async (provider, claims) =>
    `${encode({ alg, kid: provider.keyOf('RS256').kid, typ: 'JWT' })}.${encode(claims)}.`;

/** Tokens made from the claims of a good one, none of which its signature or its claims make good. */
export const FORGED_ID_TOKENS: readonly (readonly [string, Forge])[] = [
  ['alg none', withoutSignature('none')],
  ['alg nOnE', withoutSignature('nOnE')],
  ['no signature', withoutSignature('RS256')],
  ['HS256 with the public key of RS256', byPublicKey('RS256')],
  ['HS256 with the public key of ES256', byPublicKey('ES256')],
  ['PS256 by a known key', (provider, claims) => byKnownKey(provider, claims, { alg: 'PS256' })],
  ['no kid and a foreign key', byForeignKey('RS256', () => ({ kid: undefined }))],
  ['an unknown kid', (provider, claims) => byKnownKey(provider, claims, { kid: 'another' })],
  ['the kid of a key of another kind', (p, claims) => byKnownKey(p, claims, { kid: p.keyOf('ES256').kid })],
  ['a foreign key under a known kid, RS256', byForeignKey('RS256')],
  ['a foreign key under a known kid, ES256', byForeignKey('ES256')],
  ['a foreign key of its own kid', byForeignKey('RS256', ({ kid }) => ({ kid }))],
  ['a foreign key that it brings itself', byForeignKey('RS256', ({ publicJwk }) => ({ jwk: publicJwk }))],
  [
    'other claims under a good signature',
    async (provider, claims) => {
      const [header, , signature] = (await provider.sign(claims)).split('.');
      return `${header}.${encode({ ...claims, sub: 'somebody-else' })}.${signature}`;
    },
  ],
  ['another issuer', withChanges(() => ({ iss: 'https://elsewhere.example' }))],
  ['no issuer', withChanges(() => ({ iss: undefined }))],
  ['another audience', withChanges(() => ({ aud: 'elsewhere' }))],
  ['no audience', withChanges(() => ({ aud: undefined }))],
  ['an expiry an hour ago', withChanges((now) => ({ iat: now - 7200, exp: now - 3600 }))],
  ['no expiry', withChanges(() => ({ exp: undefined }))],
  ['a day of issue yet to come', withChanges((now) => ({ iat: now + 3600, exp: now + 7200 }))],
  ['a day yet to come', withChanges((now) => ({ nbf: now + 3600 }))],
  ['no subject', withChanges(() => ({ sub: undefined }))],
  ['garbage', async () => 'garbage'],
  ['garbage in three parts', async () => 'a.b.c'],
  ['ten thousand characters', async () => 'x'.repeat(10_000)],
];

function byKnownKey(provider: IdentityProvider, claims: Claims, header: object): Promise<string> {
  return signedBy(provider.keyOf('RS256').privateJwk, claims, header);
}
