// Of FCM's API, of Google's answers, and our own (src/push).
const KNOWN = new Set([
  'INTERNAL',
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'PERMISSION_DENIED',
  'QUOTA_EXCEEDED',
  'SENDER_ID_MISMATCH',
  'THIRD_PARTY_AUTH_ERROR',
  'UNAUTHENTICATED',
  'UNAVAILABLE',
  'UNREGISTERED',
  'file',
  'late',
  'sealed',
  'stopped',
]);

/** The failure of a push as a label: whatever a push service answers, there are few. */
export function failureLabel(failure: string | undefined): string {
  if (failure === undefined) return 'none';
  if (KNOWN.has(failure)) return failure;
  const status = /^http\/([345])\d\d$/.exec(failure)?.[1];
  return status === undefined ? 'other' : `http/${status}xx`;
}
