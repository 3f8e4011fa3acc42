// Codes of FCM and of Google's APIs, and our own (src/push).
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

/** Returns the metric label of a push failure. Unknown codes share one, so that the number of labels stays small. */
export function failureLabel(failure: string | undefined): string {
  if (failure === undefined) return 'none';
  if (KNOWN.has(failure)) return failure;
  const status = /^http\/([345])\d\d$/.exec(failure)?.[1];
  return status === undefined ? 'other' : `http/${status}xx`;
}
