import { type ErrorCode, isOpineError, OpineError } from '@opine/client';

/** Returns whether an action needs a further step of onboarding. */
export function isStepMissing(error: unknown): boolean {
  return isOpineError(error, 'FORBIDDEN') && typeof error.details.nextStep === 'string';
}

/** Returns whether an error leads to sign-in or onboarding, which the action needs first. */
export function isRedirecting(error: unknown): boolean {
  return isOpineError(error, 'UNAUTHORIZED') || isStepMissing(error);
}

/** Returns whether an error says that something is not there, or not for the person. */
export function isGone(error: unknown): boolean {
  return isOpineError(error) && [403, 404].includes(error.status) && !isStepMissing(error);
}

/** Returns what an error means for the person, and what they can do. */
export function messageOf(error: unknown): string {
  // The client throws the platform's TypeError if the service is unreachable.
  if (error instanceof TypeError) return 'Opine cannot be reached. Check your connection.';
  if (isStepMissing(error)) return 'This needs one more step of you.';
  if (isOpineError(error, 'RATE_LIMITED')) {
    return `That was too often. Try again in ${durationOf(error.retryAfterSeconds ?? 60)}.`;
  }
  if (isOpineError(error, 'UNAUTHORIZED')) return 'Sign in to do this.';
  const issues = Object.values(issuesOf(error));
  if (issues.length > 0) return issues.join(' ');
  if (error instanceof OpineError && (error.status >= 500 || error.code === null)) {
    return `Opine has a problem. If it stays, quote this number: ${error.requestId ?? error.status}.`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** Returns a number of seconds as people say it. */
export function durationOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}

/** Returns what is wrong with the fields of a request, by their names; by '' what concerns no single field. */
export function issuesOf(error: unknown): Record<string, string> {
  if (!isOpineError(error)) return {};
  const field = FIELDS[error.code];
  if (field !== undefined) return { [field]: error.message };
  const { issues = [] } = error.details;
  if (!Array.isArray(issues)) return {};
  return Object.fromEntries(issues.map(({ path, message }) => [path.findLast(isName) ?? '', message]));
}

/** The fields that errors of their own are about. */
const FIELDS: Partial<Record<ErrorCode, string>> = {
  HANDLE_TAKEN: 'username',
  CUSTOM_LINK_TAKEN: 'customLink',
  PHONE_TAKEN: 'phoneNumber',
  OTP_INVALID: 'code',
  OTP_EXPIRED: 'code',
};

const isName = (step: unknown) => typeof step === 'string';
