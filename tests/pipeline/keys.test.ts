import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { calculateJwkThumbprint, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { runSupabase } from '../../scripts/db/supabase-cli.ts';
import { runTool } from '../../scripts/tools.ts';
import { createTokens } from '../../src/auth/tokens.ts';
import { createSignedUrls } from '../../src/storage/signed-urls.ts';

const newKey = async () => JSON.parse((await runTool('node', ['scripts/keys.ts'])).output);

test('npm run keys prints a key in the form of the Supabase CLI', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'opine-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { stdout } = await runSupabase(['gen', 'signing-key', '--algorithm', 'ES256'], folder);
  const theirs = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '');
  const ours = await newKey();
  const { kid, d, x, y, ...form } = theirs;
  expect(ours).toEqual({ ...form, kid: expect.stringMatching(/^[0-9a-f-]{36}$/), ...lengthsOf({ d, x, y }) });
});

test('a printed key verifies its own tokens, and not those of another printed key', async () => {
  const [one, other] = [await newKey(), await newKey()];
  expect(await calculateJwkThumbprint(one)).not.toBe(await calculateJwkThumbprint(other));
  const issuer = 'https://opine.example/auth/v1';
  const tokens = await createTokens({ signingKeys: [one, other], issuer });
  const grant = {
    userId: '01990000-0000-7000-8000-000000000001',
    sessionId: '01990000-0000-7000-8000-000000000002',
    issuedAt: new Date(0),
    expiresAt: new Date(900_000),
  };
  expect(await tokens.verify(await tokens.sign(grant))).toMatchObject({ sub: grant.userId });
  const others = await createTokens({ signingKeys: [other], issuer });
  expect(await others.verify(await tokens.sign(grant))).toBeNull();
});

/** Runs `npm run keys -- --public`. */
const printPublicKeys = (env: Record<string, string>, ...options: string[]) =>
  runTool('node', ['scripts/keys.ts', '--public', ...options], { env });

test('Supabase Storage can import the printed public keys, and verifies signed URLs with them', async () => {
  const [newest, older] = [await newKey(), await newKey()];
  const { output } = await printPublicKeys({ JWT_SIGNING_KEYS: JSON.stringify([newest, older]) });
  const { keys } = JSON.parse(output);
  expect(keys.map(({ kid }: JWK) => kid)).toEqual([newest.kid, older.kid]);
  expect(output).not.toContain(newest.d);
  const urls = await createSignedUrls({ url: 'https://opine.example', signingKeys: [newest, older] });
  const url = await urls.download('media', 'picture', new Date(Date.now() + 60_000), null);
  const token = new URL(url).searchParams.get('token') ?? '';
  expect(await verifiesAsStorage(keys[0], token)).toBe(true);
  expect(await verifiesAsStorage(keys[1], token)).toBe(false);
});

test('the printed public keys contain the shared secret of a self-hosted project only with --with-jwt-secret', async () => {
  const JWT_SECRET = 'a secret that Auth, Storage and PostgREST share';
  const env = { JWT_SIGNING_KEYS: JSON.stringify([await newKey()]), JWT_SECRET };
  expect(JSON.parse((await printPublicKeys(env)).output).keys).toHaveLength(1);
  const { output } = await printPublicKeys(env, '--with-jwt-secret');
  const token = await new SignJWT({ role: 'service_role' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(JWT_SECRET));
  const { keys } = JSON.parse(output);
  expect(keys.map(({ kty }: JWK) => kty)).toEqual(['EC', 'oct']);
  const { payload } = await jwtVerify(token, await importJWK(keys[1]));
  expect(payload.role).toBe('service_role');
});

test.each([
  { keys: '', message: 'JWT_SIGNING_KEYS is not set' },
  { keys: '{"d":"a private part"', message: 'JWT_SIGNING_KEYS is not a JSON array' },
  { keys: '[{"kty":"RSA"}]', message: 'signing key 1 is no ES256 key' },
])(
  'npm run keys -- --public with JWT_SIGNING_KEYS=$keys fails, and its error shows no key',
  async ({ keys, message }) => {
    const { code, output } = await printPublicKeys({ JWT_SIGNING_KEYS: keys });
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(message) });
    expect(output).not.toContain('private part');
  },
);

/** Returns whether a key made a token's signature, by WebCrypto like Storage's library. */
async function verifiesAsStorage(key: JWK, token: string): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const imported = await crypto.subtle.importKey('jwk', key, algorithm, false, ['verify']);
  const [header, payload, signature = ''] = token.split('.');
  return crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    imported,
    Buffer.from(signature, 'base64url'),
    Buffer.from(`${header}.${payload}`),
  );
}

/** Returns matchers of base64url with the lengths of a key's parts. */
function lengthsOf(parts: Record<string, string>): object {
  return Object.fromEntries(
    Object.entries(parts).map(([name, { length }]) => [
      name,
      expect.stringMatching(new RegExp(`^[\\w-]{${length}}$`)),
    ]),
  );
}
