import { errors, type JWK, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { ALGORITHM, importSigningKeys } from './signing-keys.ts';

const AUDIENCE = 'authenticated';
const ROLE = 'authenticated';

/** Our tokens have some 500 characters; nobody shall make us decode and hash megabytes. */
const MAX_TOKEN_LENGTH = 4096;
const MAX_REMEMBERED = 10_000;

/** Decoders skip white space; a token has none. */
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

/** The claims of an access token that we issued, as Postgres reads them in `request.jwt.claims`. */
export type AccessClaims = z.infer<typeof accessClaims>;

/** What an access token is issued for. */
export interface Grant {
  readonly userId: string;
  readonly sessionId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** Issues and checks access tokens. */
export interface Tokens {
  /** Signs an access token for `grant`, its times cut to the second. */
  sign(grant: Grant): Promise<string>;
  /** The claims of a token that one of our keys signed, expired or not; null for any other text. */
  verify(token: string): Promise<AccessClaims | null>;
  /** The public halves of all keys, for others to verify with. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

/**
 * Makes the issuer and checker of access tokens: ES256, shaped as Supabase's, so that Realtime and the Data API
 * accept them too. The first of `signingKeys` signs, all verify.
 *
 * Throws an error that names a key that does not fit by its place.
 */
export async function createTokens(options: {
  signingKeys: readonly JWK[];
  issuer: string;
}): Promise<Tokens> {
  const { issuer } = options;
  const { signer, verifiers, published } = await importSigningKeys(options.signingKeys);

  const verifierOf: JWTVerifyGetKey = ({ kid = '' }) => {
    const key = verifiers.get(kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };

  // A signature that was good once stays good, and checking it costs more than all else that a request does here.
  // Nothing that may change is kept: expiry and session are judged in Postgres, each time.
  const verified = new Map<string, AccessClaims>();
  const remember = (token: string, claims: AccessClaims): void => {
    const [oldest] = verified.keys();
    if (verified.size >= MAX_REMEMBERED && oldest !== undefined) verified.delete(oldest);
    verified.set(token, claims);
  };

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
      const known = verified.get(token);
      if (known !== undefined) return known;
      if (token.length > MAX_TOKEN_LENGTH || !COMPACT.test(token)) return null;
      try {
        const { payload } = await jwtVerify(token, verifierOf, {
          algorithms: [ALGORITHM],
          issuer,
          audience: AUDIENCE,
          // Whether a token has expired is Postgres's to say, by app.now(), which tests shift; a second clock here
          // would answer otherwise. At the epoch no token of ours has expired.
          currentDate: new Date(0),
        });
        const claims = accessClaims.safeParse(payload).data ?? null;
        if (claims !== null) remember(token, claims);
        return claims;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },

    jwks: { keys: published },
  };
}
