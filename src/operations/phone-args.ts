import { type Issue, invalid } from '../contract/errors.ts';
import { normalizePhone } from '../identity/phones.ts';

/** The E.164 form of `phoneNumber`. @throws ApiError VALIDATION_FAILED where it is no possible number */
export function e164(phoneNumber: string): string {
  const normalized = normalizePhone(phoneNumber);
  if (normalized === null) throw invalid(notPossible(['phoneNumber']));
  return normalized;
}

/** Says that what is at `path` of a body is no possible number. */
export function notPossible(path: Issue['path']): Issue {
  return { path, code: 'invalid_phone', message: 'Must be a possible number in E.164 form.' };
}
