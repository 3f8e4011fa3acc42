import { errors, type JWK, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { createCache } from '../cache.ts';
import { ALGORITHM, importSigningKeys } from './signing-keys.ts';

const AUDIENCE = 'authenticated';
const ROLE = 'authenticated';

/** Our tokens have about 500 characters; the limit keeps attackers from having megabytes decoded and hashed. */
const MAX_TOKEN_LENGTH = 4096;
const MAX_CACHED = 10_000;

/** Rejects white space, which decoders would skip. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const accessClaims = z.object({
  iss: z.string(),
  aud: z.literal(AUDIENCE),
  role: z.literal(ROLE),
  sub: z.guid(),
  session_id: z.guid(),
  iat: z.int(),
  exp: z.int(),
});

/** The claims of our access tokens. Postgres reads them in `request.jwt.claims`. */
export type AccessClaims = z.infer<typeof accessClaims>;

/** The content of a new access token. */
export interface Grant {
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Issues and checks access tokens. */
export interface Tokens {
  /** Signs an access token. Its times are truncated to seconds. */
  sign(grant: Grant): Promise<string>;
  /** Returns the claims of a token that one of our keys signed, even an expired one; null for any other text. */
  verify(token: string): Promise<AccessClaims | null>;
  /** The public keys, for other services to verify tokens. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

/**
 * Creates the issuer and verifier of access tokens: ES256, in Supabase's format, so that Realtime and the Data API accept
 * them too.
 * @param options `signingKeys`: the first key signs, all keys verify
 * @throws Error with the position of an unusable key
 */
export async function createTokens(options: {
  signingKeys: readonly JWK[];
  issuer: string;
}): Promise<Tokens> {
  const { issuer } = options;
  const { signer, verifiers, published } = await importSigningKeys(options.signingKeys);

  const findVerifier: JWTVerifyGetKey = ({ kid = '' }) => {
    const key = verifiers.get(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  // Caches verified tokens, because verifying a signature is the most expensive step of a request here. A valid signature
  // stays valid; Postgres checks expiry and session on every request.
  const cache = createCache<AccessClaims>(MAX_CACHED);

  return {
    sign: ({ userId, sessionId, issuedAt, expiresAt }) =>
      new SignJWT({ session_id: sessionId, role: ROLE })
        .setProtectedHeader({ alg: ALGORITHM, kid: signer.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(signer.key),

    verify: async (token) => {
      const cached = cache.get(token);
      if (cached !== undefined) return cached;
      if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return null;
      try {
        const { payload } = await jwtVerify(token, findVerifier, {
          algorithms: [ALGORITHM],
          issuer,
          audience: AUDIENCE,
          // Disables the expiry check: Postgres checks expiry by app.now(), which tests shift, and a second clock would
          // disagree with it.
          currentDate: new Date(0),
        });
        const claims = accessClaims.safeParse(payload).data ?? null;
        if (claims !== null) cache.set(token, claims);
        return claims;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },

    jwks: { keys: published },
  };
}
