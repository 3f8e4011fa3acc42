import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ApiError } from '../contract/errors.ts';

/** Verifies ID tokens of one identity provider. */
export interface IdTokens {
  /**
   * Returns the claims of a valid token, null for any other text.
   * @throws ApiError SERVICE_UNAVAILABLE if the provider's keys cannot be fetched
   */
  verify(token: string): Promise<JWTPayload | null>;
}

/** Options of a verifier. `jwksUrl` serves the provider's keys. */
export interface IdTokenOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** The tolerance for a provider's clock that is ahead of ours. */
const LEEWAY_SECONDS = 60;

/** Creates the verifier of one provider's ID tokens. It checks their times by the wall clock (docs/product.md R4). */
export function createIdTokens({ issuer, audience, jwksUrl }: IdTokenOptions): IdTokens {
  const findKey = createKeySet(new URL(jwksUrl));
  return {
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, findKey, {
          algorithms: ['RS256', 'ES256'],
          issuer,
          audience,
          requiredClaims: ['sub', 'iat', 'exp'],
        });
        return (payload.iat ?? 0) > Date.now() / 1000 + LEEWAY_SECONDS ? null : payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}

/**
 * Creates a cached key set, which is fetched again for an unknown key id. jose's cooldown between fetches would refuse a key
 * that was just rotated in. A token bucket allows a few fetches in a row, and still protects the provider from a flood of
 * unknown keys, or of sign-ins while it is down.
 */
function createKeySet(url: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, { cooldownDuration: Number.POSITIVE_INFINITY });
  const takeToken = createTokenBucket(5, 10_000);
  const fetchKeys = () => keys.reload().catch(unavailable);
  return async (header, token) => {
    const mayFetch = () => keys.reloading || takeToken();
    if (!keys.fresh) await (mayFetch() ? fetchKeys() : unavailable());
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) return unavailable(error);
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayFetch()) throw error;
    }
    await fetchKeys();
    return keys(header, token);
  };
}

function unavailable(cause?: unknown): never {
  throw new ApiError('SERVICE_UNAVAILABLE', {}, { cause });
}

/** Creates a token bucket: it allows `burst` calls at once, then one every `refillMs`. */
function createTokenBucket(burst: number, refillMs: number): () => boolean {
  let emptyAt = 0;
  return () => {
    const now = performance.now();
    const next = Math.max(emptyAt, now) + refillMs;
    const isAllowed = next <= now + burst * refillMs;
    if (isAllowed) emptyAt = next;
    return isAllowed;
  };
}
