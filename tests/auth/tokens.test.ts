import { createHmac, createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTokens, type Tokens } from '../../src/auth/tokens.ts';

const ISSUER = 'https://opine.test/auth/v1';
const GRANT = {
  userId: '01990000-0000-7000-8000-000000000001',
  sessionId: '01990000-0000-7000-8000-000000000002',
  issuedAt: new Date('2026-01-01T00:00:00.900Z'),
  expiresAt: new Date('2026-01-01T01:00:00.900Z'),
};
const CLAIMS = {
  iss: ISSUER,
  aud: 'authenticated',
  role: 'authenticated',
  sub: GRANT.userId,
  session_id: GRANT.sessionId,
  iat: 1767225600,
  exp: 1767229200,
};

/** Creates a key in the format of `supabase gen signing-key`. */
async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    ...(await exportJWK(privateKey)),
    kid,
    use: 'sig',
    key_ops: ['sign', 'verify'],
    alg: 'ES256',
    ext: true,
  };
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

let current: JWK;
let former: JWK;
let tokens: Tokens;

/** Creates a token with any header and claims, signed by `key`. */
async function forge(claims: object, header: object = {}, key: JWK = current): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'current', ...header })
    .sign(await importJWK({ ...key, key_ops: ['sign'] }, 'ES256'));
}

beforeAll(async () => {
  current = await newKey('current');
  former = await newKey('former');
  tokens = await createTokens({ signingKeys: [current, former], issuer: ISSUER });
});

describe('a signed token', () => {
  test('a token names its key and has the claims that Supabase reads', async () => {
    const [header, claims] = (await tokens.sign(GRANT)).split('.');
    expect(decode(header)).toEqual({ alg: 'ES256', kid: 'current', typ: 'JWT' });
    expect(decode(claims)).toEqual(CLAIMS);
  });

  test('verify returns the known claims alone', async () => {
    expect(await tokens.verify(await tokens.sign(GRANT))).toEqual(CLAIMS);
    expect(await tokens.verify(await forge({ phone: '+12025550101' }))).toEqual(CLAIMS);
  });

  test('a token of any configured key verifies, as after a rotation', async () => {
    expect(await tokens.verify(await forge({}, { kid: 'former' }, former))).toEqual(CLAIMS);
    const { d: _, ...retired } = former;
    const rotated = await createTokens({ signingKeys: [current, retired], issuer: ISSUER });
    expect(await rotated.verify(await forge({}, { kid: 'former' }, former))).toEqual(CLAIMS);
  });

  test.for([
    ['long past', '1999-01-01T00:00:00Z'],
    ['far ahead', '2999-01-01T00:00:00Z'],
  ])('a token with an expiry %s verifies, because Postgres checks the expiry', async ([, expiresAt = '']) => {
    const token = await tokens.sign({ ...GRANT, expiresAt: new Date(expiresAt) });
    expect(await tokens.verify(token)).toMatchObject({ exp: Date.parse(expiresAt) / 1000 });
  });
});

describe('a forged token', () => {
  test('a token without a signature is refused', async () => {
    for (const alg of ['none', 'None', 'NONE', 'ES256']) {
      expect(await tokens.verify(`${base64url({ alg, kid: 'current' })}.${base64url(CLAIMS)}.`)).toBeNull();
    }
  });

  test('a token signed by HS256 with the public key is refused', async () => {
    const published = tokens.jwks.keys[0] as JWK;
    const pem = createPublicKey({ key: { ...published }, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    for (const secret of [pem, JSON.stringify(published), published.x ?? '']) {
      const input = `${base64url({ alg: 'HS256', kid: 'current' })}.${base64url(CLAIMS)}`;
      const signature = createHmac('sha256', secret).update(input).digest('base64url');
      expect(await tokens.verify(`${input}.${signature}`)).toBeNull();
    }
  });

  test('a token signed by a foreign key is refused, under a known kid, its own kid, or with its jwk', async () => {
    const foreign = await newKey('foreign');
    const { d: _, ...jwk } = foreign;
    for (const header of [{}, { kid: 'foreign' }, { jwk }, { kid: 'foreign', jwk }]) {
      expect(await tokens.verify(await forge({}, header, foreign))).toBeNull();
    }
  });

  test('a token with the kid of another key, or without a valid kid, is refused', async () => {
    for (const kid of ['former', '', undefined, '__proto__', 'constructor']) {
      expect(await tokens.verify(await forge({}, { kid }))).toBeNull();
    }
  });

  test('a token with claims changed after signing is refused', async () => {
    const [header, , signature] = (await tokens.sign(GRANT)).split('.');
    const claims = base64url({ ...CLAIMS, sub: GRANT.sessionId });
    expect(await tokens.verify(`${header}.${claims}.${signature}`)).toBeNull();
  });

  test.for<[string, object]>([
    ['another issuer', { iss: 'https://elsewhere.test' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'anon' }],
    ['several audiences', { aud: ['authenticated', 'anon'] }],
    ['another role', { role: 'service_role' }],
    ['no role', { role: undefined }],
    ['a subject that is not a UUID', { sub: 'admin' }],
    ['no session', { session_id: undefined }],
    ['a session that is not a UUID', { session_id: "' or true --" }],
    ['no expiry', { exp: undefined }],
    ['an expiry that is not an integer', { exp: 1767229200.5 }],
    ['an expiry that is a string', { exp: '1767229200' }],
    ['no time of issue', { iat: undefined }],
    ['a time of issue that is not an integer', { iat: 1e300 }],
  ])('a token with a valid signature and %s is refused', async ([, claims]) => {
    expect(await tokens.verify(await forge(claims))).toBeNull();
  });
});

describe('the cache of verified tokens', () => {
  test('the cache of verified tokens holds the 10,000 newest, whose signatures are not verified again', async () => {
    const [head, claims] = (await tokens.sign(GRANT)).split('.');
    const verify = vi.spyOn(crypto.subtle, 'verify').mockResolvedValue(true);
    onTestFinished(() => verify.mockRestore());
    // Any signature is valid here.
    const tokenOf = (number: number) => `${head}.${claims}.${String(number).padStart(86, 'A')}`;
    const { verify: verifyToken } = await createTokens({ signingKeys: [current], issuer: ISSUER });
    for (let number = 0; number < 10_000; number += 1) await verifyToken(tokenOf(number));
    expect(verify).toHaveBeenCalledTimes(10_000);
    expect(await verifyToken(tokenOf(0))).toEqual(CLAIMS);
    expect(verify).toHaveBeenCalledTimes(10_000);
    await verifyToken(tokenOf(10_000));
    await verifyToken(tokenOf(0));
    expect(verify).toHaveBeenCalledTimes(10_002);
  });

  test('the cache of verified tokens holds no refused token', async () => {
    const token = await forge({ role: 'service_role' });
    const verify = vi.spyOn(crypto.subtle, 'verify');
    onTestFinished(() => verify.mockRestore());
    for (const _ of [1, 2]) expect(await tokens.verify(token)).toBeNull();
    expect(verify).toHaveBeenCalledTimes(2);
  });
});

describe('an arbitrary text', () => {
  const header = fc.oneof(
    fc.record({
      alg: fc.constantFrom('ES256', 'HS256', 'none', 1),
      kid: fc.constantFrom('current', 'former', 1, null),
    }),
    fc.object({ key: fc.constantFrom('alg', 'kid', 'crit', 'b64', 'jwk', 'zip') }),
  );

  test('verify returns null for arbitrary text and never throws', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }).map((parts) => parts.join('.')),
      fc
        .tuple(header, fc.json(), fc.base64String())
        .map(
          ([head, body, signature]) =>
            `${base64url(head)}.${Buffer.from(body).toString('base64url')}.${signature}`,
        ),
    );
    await fc.assert(
      fc.asyncProperty(text, async (token) => {
        expect(await tokens.verify(token)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('a token with white space is refused', async () => {
    const token = await tokens.sign(GRANT);
    for (const spaced of [` ${token}`, `${token}\n`, token.replaceAll('.', '.\t')]) {
      expect(await tokens.verify(spaced)).toBeNull();
    }
  });

  test('a token over the length limit is refused', async () => {
    const token = await forge({ padding: 'x'.repeat(4096) });
    expect(await tokens.verify(token)).toBeNull();
    expect(await tokens.verify('.'.repeat(10_000_000))).toBeNull();
  });
});

describe('the published keys', () => {
  test('the JWKS has the public parts of the keys alone', () => {
    expect(tokens.jwks.keys.map((key) => key.kid)).toEqual(['current', 'former']);
    for (const key of tokens.jwks.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    }
    expect(JSON.stringify(tokens.jwks)).not.toContain(current.d);
  });
});

describe('invalid signing keys', () => {
  test.for<[string, () => JWK[], string]>([
    ['no key', () => [], 'first signing key'],
    ['a public key first', () => [{ ...current, d: undefined } as unknown as JWK], 'first signing key'],
    ['no kid', () => [current, { ...former, kid: '' }], 'signing key 2'],
    ['a repeated kid', () => [current, former, { ...former }], 'signing key 3'],
    ['another algorithm', () => [{ ...current, alg: 'ES384' }], 'signing key 1 is no ES256 key'],
    ['a symmetric key', () => [current, { kty: 'oct', k: 'c2VjcmV0', kid: 'oct' }], 'signing key 2'],
    ["another key's private part", () => [{ ...current, d: former.d ?? '' }], 'signing key 1'],
    ['a point off the curve', () => [current, { ...former, x: former.y ?? '' }], 'signing key 2'],
  ])(
    'createTokens refuses %s with an error that gives the position but not the key',
    async ([, keys, position]) => {
      const error = await createTokens({ signingKeys: keys(), issuer: ISSUER }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(Error);
      expect(String(error)).toContain(position);
      expect(String(error)).not.toContain(current.d);
    },
  );
});
