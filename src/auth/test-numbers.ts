import { normalizePhone } from './phones.ts';

/** Phones that have a fixed code and get no text message. */
export interface TestNumbers {
  /** The fixed code of `phone` (E.164), or undefined where it is no test number. */
  codeFor(phone: string): string | undefined;
}

const ENTRY = /^(?<phone>\+[0-9]+)(?<star>\*?)=(?<code>[0-9]{4})$/;

/**
 * Reads `SMS_TEST_NUMBERS`: phones with their codes, separated by commas, where a star stands for all further
 * digits: `+1202555*=4242,+4915112345678=1111`. Of several that fit a phone the first counts; an empty text names
 * none. Throws an error that says which entry is wrong.
 */
export function parseTestNumbers(text: string): TestNumbers {
  const entries = text.trim() === '' ? [] : text.split(',').map(parseEntry);
  return { codeFor: (phone) => entries.find((entry) => entry.fits(phone))?.code };
}

function parseEntry(text: string, place: number) {
  const { phone, star, code } = ENTRY.exec(text.trim())?.groups ?? {};
  if (phone === undefined || code === undefined) {
    throw new Error(`entry ${place + 1} must read "+<number>=<4 digits>" or "+<first digits>*=<4 digits>"`);
  }
  if (star) return { code, fits: (candidate: string) => candidate.startsWith(phone) };
  if (normalizePhone(phone) !== phone) throw new Error(`entry ${place + 1} is not a possible phone number`);
  return { code, fits: (candidate: string) => candidate === phone };
}
