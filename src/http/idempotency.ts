import { createHash } from 'node:crypto';
import { invalid } from '../contract/errors.ts';
import type { Idempotency } from '../db/gateway.ts';

/**
 * Returns the `Idempotency-Key` of a request with a fingerprint of its operation and arguments, or null without the header.
 * @param args the validated arguments, without those from the configuration, which may change between retries
 * @throws ApiError VALIDATION_FAILED for a malformed key
 */
export function parseIdempotency(
  key: string | undefined,
  operation: string,
  args: object,
): Idempotency | null {
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) {
    throw invalid({
      path: ['Idempotency-Key'],
      code: 'invalid_format',
      message: 'Must be 1 to 128 visible ASCII characters.',
    });
  }
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([operation, args]))
    .digest('hex');
  return { key, fingerprint };
}
