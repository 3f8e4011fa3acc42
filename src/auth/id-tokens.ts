import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ApiError } from '../contract/errors.ts';

/** Checks the ID tokens of one identity provider. */
export interface IdTokens {
  /**
   * The claims of a good token, null for any other text.
   * @throws ApiError SERVICE_UNAVAILABLE where the provider's keys are needed and cannot be had
   */
  verify(token: string): Promise<JWTPayload | null>;
}

/** Whose tokens for whom, and where the keys are. */
export interface IdTokenOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** How far the provider's clock may be ahead of ours. */
const LEEWAY_SECONDS = 60;

/** Makes the checker of one provider's ID tokens. Their times are the provider's, and judged by the wall clock. */
export function createIdTokens({ issuer, audience, jwksUrl }: IdTokenOptions): IdTokens {
  const keyOf = keysAt(new URL(jwksUrl));
  return {
    verify: async (token) => {
      try {
        const { payload } = await jwtVerify(token, keyOf, {
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
 * The keys at `url`: cached, and fetched again where a token names one that is not there. jose would wait between two
 * such fetches and refuse a key just rotated in. Here a few may follow each other; a flood of unknown keys, or of
 * sign-ins while the provider is away, gets no more.
 */
function keysAt(url: URL): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(url, { cooldownDuration: Number.POSITIVE_INFINITY });
  const mayFetch = allowance(5, 10_000);
  const fetchKeys = () => keys.reload().catch(unavailable);
  return async (header, token) => {
    const mayAsk = () => keys.reloading || mayFetch();
    if (!keys.fresh) await (mayAsk() ? fetchKeys() : unavailable());
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) return unavailable(error);
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayAsk()) throw error;
    }
    await fetchKeys();
    return keys(header, token);
  };
}

function unavailable(cause?: unknown): never {
  throw new ApiError('SERVICE_UNAVAILABLE', {}, { cause });
}

/** Says yes `burst` times at once, and then once each `refillMs`. */
function allowance(burst: number, refillMs: number): () => boolean {
  let emptyAt = 0;
  return () => {
    const now = performance.now();
    const next = Math.max(emptyAt, now) + refillMs;
    const isFree = next <= now + burst * refillMs;
    if (isFree) emptyAt = next;
    return isFree;
  };
}
