import { createHash } from 'node:crypto';
import { invalid } from '../contract/errors.ts';
import type { Idempotency } from '../db/gateway.ts';

/**
 * What makes this request the same as an earlier one: its `Idempotency-Key`, and a fingerprint of the operation
 * with what was asked, checked, but without what the configuration adds: that may change. Null without the header. @throws ApiError VALIDATION_FAILED for a key of another form
 */
export function idempotencyOf(key: string | undefined, operation: string, args: object): Idempotency | null {
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
