import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A number has at most 15 digits; the rest is room for how people write it. */
const MAX_INPUT_LENGTH = 40;

const PUNCTUATION = /[\p{Space_Separator}\p{Dash_Punctuation}().]/gu;
const INTERNATIONAL = /^\+[0-9]+$/;

/**
 * The E.164 form of a phone number given in international form, with or without spaces, dashes, dots and brackets
 * (`+49 (0)151 123-45678` is `+4915112345678`); null where the text is no possible number.
 */
export function normalizePhone(input: string): string | null {
  if (input.length > MAX_INPUT_LENGTH) return null;
  const number = parse(input.replace(PUNCTUATION, ''));
  // Doubled trunk zeros lose one on each reading; one phone must not have two normal forms.
  return number !== null && parse(number) === number ? number : null;
}

function parse(text: string): string | null {
  if (!INTERNATIONAL.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text);
  return parsed?.isPossible() ? parsed.number : null;
}
