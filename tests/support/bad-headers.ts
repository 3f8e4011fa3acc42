/** Values of `Idempotency-Key` that are not 1 to 128 visible ASCII characters, by what is wrong with them. */
export const BAD_KEYS: readonly (readonly [name: string, value: string])[] = [
  ['empty', ''],
  ['with a space', 'with space'],
  ['with a tab', 'with\ttab'],
  ['of 129 characters', 'k'.repeat(129)],
  ['with a letter beyond ASCII', 'caf\u00e9'],
  ['of one byte beyond ASCII', '\u0080'],
  ['of twelve thousand characters', 'k'.repeat(12_000)],
];

/** Values of `Authorization` that hold no good bearer. */
export const BAD_BEARERS: readonly (readonly [name: string, value: string])[] = [
  ['empty', ''],
  ['without a token', 'Bearer'],
  ['with white space for a token', 'Bearer   '],
  ['with two tokens', 'Bearer a b'],
  ['of another scheme', 'Basic bWF5YTo0MjQy'],
  ['without a scheme', 'eyJhbGciOiJFUzI1NiJ9.e30.AA'],
  ['with no JWT', 'Bearer x'],
  ['with a JWT that says it is unsigned', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'],
  ['with a JWT of no JSON', 'Bearer AAAA.AAAA.AAAA'],
  ['with a key of the prototype', 'Bearer __proto__'],
  ['beyond ASCII', 'Bearer caf\u00e9'],
  ['of twelve thousand characters', `Bearer ${'x'.repeat(12_000)}`],
];

/** Values of `Content-Type` that are not JSON's. */
export const BAD_TYPES: readonly (readonly [name: string, value: string])[] = [
  ['empty', ''],
  ['text', 'text/plain'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a form in parts without a boundary', 'multipart/form-data'],
  ['no media type', 'json'],
  ['longer than JSON', 'application/jsonp'],
  ['JSON in second place', 'text/plain, application/json'],
  ['beyond ASCII', 'application/j\u00e7on'],
  ['of twelve thousand characters', `application/${'x'.repeat(12_000)}`],
];

/** Headers that no operation refuses, whatever they say. */
export const IGNORED_HEADERS: readonly (readonly [header: string, value: string])[] = [
  ['x-request-id', ''],
  ['x-request-id', 'two words'],
  ['x-request-id', 'caf\u00e9'],
  ['x-request-id', 'x'.repeat(12_000)],
  ['accept', 'text/html'],
  ['accept', 'application/json;q=0'],
  ['accept', '\u00ff'],
  ['accept-language', 'zz-ZZ;q=9'],
  ['user-agent', ''],
  ['x-forwarded-for', ','],
  ['x-forwarded-for', '\u00ff, 999.0.0.1'],
  ['traceparent', '00-0-0-0'],
  ['cookie', '__Host-staff_session=%E0%A4%A; =; ;'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-1'],
];

/** Bodies that an operation without one refuses, as JSON text. */
export const UNEXPECTED_BODIES: readonly (readonly [name: string, text: string])[] = [
  ['an unknown field', '{"a":1}'],
  ['a key of the prototype', '{"__proto__":{}}'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a text', '"{}"'],
  ['a number', '0'],
  ['half an object', '{'],
  ['two objects', '{}{}'],
  ['white space', ' '],
  ['a form', 'a=1'],
];
