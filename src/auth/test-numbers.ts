import { normalizePhone } from './phones.ts';

/** Phones with a fixed code, which get no text message. */
export interface TestNumbers {
  /** Returns the fixed code of a phone (E.164), or undefined if the phone is not a test number. */
  codeFor(phone: string): string | undefined;
}

const ENTRY = /^(?<phone>\+[0-9]+)(?<star>\*?)=(?<code>[0-9]{4})$/;

/**
 * Parses `SMS_TEST_NUMBERS`, for example `+1202555*=4242,+4915112345678=1111`. A star matches any further digits. The first
 * matching entry counts. An empty text has no entries.
 * @throws Error with the position of a malformed entry
 */
export function parseTestNumbers(text: string): TestNumbers {
  const entries = text.trim() === '' ? [] : text.split(',').map(parseEntry);
  return { codeFor: (phone) => entries.find((entry) => entry.matches(phone))?.code };
}

function parseEntry(text: string, index: number) {
  const { phone, star, code } = ENTRY.exec(text.trim())?.groups ?? {};
  if (phone === undefined || code === undefined) {
    throw new Error(`entry ${index + 1} must read "+<number>=<4 digits>" or "+<first digits>*=<4 digits>"`);
  }
  if (star) return { code, matches: (candidate: string) => candidate.startsWith(phone) };
  if (normalizePhone(phone) !== phone) throw new Error(`entry ${index + 1} is not a possible phone number`);
  return { code, matches: (candidate: string) => candidate === phone };
}
