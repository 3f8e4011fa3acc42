import { createLocalJWKSet, errors, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { StorageError } from './errors.ts';

/** The permission of a valid token. */
export interface SignedGrant {
  readonly expiresAt: Date;
  /** Whether an upload may replace the object. */
  readonly upsert: boolean;
}

/**
 * Checks the token of a signed URL.
 * @param object `bucket/key`
 * @throws StorageError unless the token is valid, not expired, and made for this object and scope
 */
export type VerifyToken = (
  token: string | undefined,
  object: string,
  scope: 'download' | 'upload',
) => Promise<SignedGrant>;

/** Creates the check of signed URLs. @param keys the public keys that sign them */
export function createTokenVerifier(keys: readonly JWK[]): VerifyToken {
  const keySet = createLocalJWKSet({ keys: [...keys] });

  async function payloadOf(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keySet, { algorithms: ['ES256'], requiredClaims: ['exp'] })).payload;
    } catch (error) {
      throw error instanceof errors.JOSEError ? new StorageError('InvalidJWT', error.message) : error;
    }
  }

  return async (token, object, scope) => {
    if (token === undefined) {
      throw new StorageError('InvalidRequest', "querystring must have required property 'token'");
    }
    const payload = await payloadOf(token);
    if (payload.scope !== scope) {
      throw new StorageError('InvalidSignature', `Token is not scoped for ${scope}`);
    }
    if (payload.url !== object) throw new StorageError('InvalidSignature');
    return { expiresAt: new Date((payload.exp ?? 0) * 1000), upsert: payload.upsert === true };
  };
}
