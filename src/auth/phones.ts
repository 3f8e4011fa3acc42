import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A number has at most 15 digits; the rest is for punctuation. */
const MAX_INPUT_LENGTH = 40;

const PUNCTUATION = /[\p{Space_Separator}\p{Dash_Punctuation}().]/gu;
const INTERNATIONAL = /^\+[0-9]+$/;

/**
 * Returns the E.164 form of a phone number, or null if the number is impossible.
 * @param input international form, with any spaces, dashes, dots and brackets: `+49 (0)151 123-45678` is `+4915112345678`
 */
export function normalizePhone(input: string): string | null {
  if (input.length > MAX_INPUT_LENGTH) return null;
  const number = parse(input.replace(PUNCTUATION, ''));
  // Parsing removes one trunk zero at a time. A number that changes again is refused, so that each phone has one normal form.
  return number !== null && parse(number) === number ? number : null;
}

function parse(text: string): string | null {
  if (!INTERNATIONAL.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isPossible() ? parsed.number : null;
}

/** Returns the ISO code of the country of a phone (E.164); undefined if its number belongs to none. */
export function countryOf(phone: string): string | undefined {
  return parsePhoneNumberFromString(phone)?.country;
}

/** Returns a phone (E.164) without its last four digits: the block of 10,000 numbers that it is in. */
export function blockOf(phone: string): string {
  return phone.slice(0, -4);
}

/** Phones with a fixed code, which get no text message. */
export interface TestNumbers {
  /** The entries as they were given. */
  readonly text: string;
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
  return { text, codeFor: (phone) => entries.find((entry) => entry.matches(phone))?.code };
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
