import type { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AccessClaims, Tokens } from '../auth/tokens.ts';
import { ApiError } from '../contract/errors.ts';
import type { Auth } from './operation.ts';

/**
 * Returns the claims of a request's bearer, null for a guest. An invalid optional bearer counts as a guest (docs/product.md
 * L6). Postgres checks the session in the same round trip as the operation.
 * @throws ApiError UNAUTHORIZED if a required bearer is missing or invalid, or a checked bearer is invalid
 */
export async function identifyCaller(
  auth: Auth,
  authorization: string | undefined,
  tokens: Tokens,
): Promise<AccessClaims | null> {
  if (auth === 'none' || auth === 'staff') return null;
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  const claims = token === undefined ? null : await tokens.verify(token);
  const mustBeValid = auth === 'required' || (auth === 'checked' && authorization !== undefined);
  if (claims === null && mustBeValid) throw new ApiError('UNAUTHORIZED');
  return claims;
}

/** Whether the header holds this bearer secret. Compares in constant time. */
export function isBearer(authorization: string | undefined, secret: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
