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
