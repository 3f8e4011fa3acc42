import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A number has at most 15 digits; the rest is for punctuation and invisible characters. */
export const MAX_PHONE_LENGTH = 80;

/** Characters that show nothing, or change how others look. */
const INVISIBLE = /[\p{Format}\p{Mark}]/gu;
const SPACES_AND_DASHES = /[\s\p{Separator}\p{Dash_Punctuation}\u02d7\u2043\u2212\u30fc]/gu;
const BRACKETS_AND_DOTS = /[\p{Open_Punctuation}\p{Close_Punctuation}.\u00b7\u2024\uff0e]/gu;
const PLUS_SIGNS = /[\u207a\u208a\u2795\ufb29\ufe62\uff0b]/gu;
/** The parameters of a `tel:` URI (RFC 3966), except an extension: that is another phone. */
const PARAMETERS = /;(?!ext=|isub=)[^;]*/giu;
const INTERNATIONAL = /^\+[0-9]+$/;

/**
 * Returns the E.164 form of a phone number, or null if the number is impossible (docs/product.md I8).
 * @param input international form as people paste it: `+49 (0)151 123-45678`, `＋４９１５１１２３４５６７８` and
 *   `tel:+49-151-12345678` are all `+4915112345678`
 */
export function normalizePhone(input: string): string | null {
  if (input.length > MAX_PHONE_LENGTH) return null;
  const number = parse(toPlainNumber(input));
  // Parsing removes one trunk zero at a time. A number that changes again is refused, so that each phone has one normal form.
  return number !== null && parse(number) === number ? number : null;
}

function toPlainNumber(input: string): string {
  const text = normalizeDigits(input).replace(PLUS_SIGNS, '+');
  const number = /^tel:/i.test(text) ? text.slice('tel:'.length).replace(PARAMETERS, '') : text;
  return number.replace(BRACKETS_AND_DOTS, '');
}

/** Returns a text with ASCII digits in the place of those of other scripts, without spaces, dashes and invisible characters. */
export function normalizeDigits(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(SPACES_AND_DASHES, '')
    .replace(/\p{Decimal_Number}/gu, (digit) => String(valueOfDigit(digit)));
}

/** Returns the value of a decimal digit of any script: Unicode has them in whole tens, from zero to nine. */
function valueOfDigit(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let first = codePoint;
  while (/^\p{Decimal_Number}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (codePoint - first) % 10;
}

function parse(text: string): string | null {
  if (!INTERNATIONAL.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isPossible() ? parsed.number : null;
}

/** Returns the ISO code of the country of a phone (E.164); undefined if its number belongs to none. */
export function findCountry(phone: string): string | undefined {
  return parsePhoneNumberFromString(phone)?.country;
}

/** Returns a phone (E.164) without its last four digits: the block of 10,000 numbers that it is in. */
export function numberBlock(phone: string): string {
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
