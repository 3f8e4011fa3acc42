import type { AccessClaims, Tokens } from '../auth/tokens.ts';
import { ApiError } from '../contract/errors.ts';
import type { Auth } from './operation.ts';

/**
 * The claims of a request's bearer, null for a guest. A bad bearer is a guest's where one is optional (docs/product.md L6);
 * whether a good one's session still lives is for Postgres to say, in the same round trip.
 * @throws ApiError UNAUTHORIZED where a good bearer is needed and missing, or one that came has to be good and is not
 */
export async function callerOf(
  auth: Auth,
  authorization: string | undefined,
  tokens: Tokens,
): Promise<AccessClaims | null> {
  if (auth === 'none' || auth === 'staff') return null;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  const claims = token === undefined ? null : await tokens.verify(token);
  const isNeeded = auth === 'required' || (auth === 'checked' && authorization !== undefined);
  if (claims === null && isNeeded) throw new ApiError('UNAUTHORIZED');
  return claims;
}
