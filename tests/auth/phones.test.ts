import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizeDigits, normalizePhone, numberBlock } from '../../src/auth/phones.ts';

// docs/product.md I8
describe('a possible number', () => {
  test.for([
    ['+12025550101', '+12025550101'],
    ['+1 (202) 555-0101', '+12025550101'],
    ['+1.202.555.0101', '+12025550101'],
    ['+1\u00a0202\u00a0555\u20110101', '+12025550101'],
    ['+49 (0)151 123 456 78', '+4915112345678'],
    ['+44 07911 123456', '+447911123456'],
    ['+39 06 1234 5678', '+390612345678'],
    ['+882 16 1234 5678', '+8821612345678'],
    ['\u202a+1 202 555 0101\u202c', '+12025550101'],
    ['\u2066+1\u200b202\u00ad555\ufeff0101\u2069', '+12025550101'],
    ['+1\t202\r\n555\u20280101', '+12025550101'],
    ['+1\u3000202\u2003555\u205f0101', '+12025550101'],
    ['+1‐202‑555‒01–01', '+12025550101'],
    ['+1−202﹣555－01⸺01', '+12025550101'],
    ['+1\u02d7202\u2043555ー0101', '+12025550101'],
    ['+1（202）555．0101', '+12025550101'],
    ['＋１２０２５５５０１０１', '+12025550101'],
    ['+١٢٠٢٥٥٥٠١٠١', '+12025550101'],
    ['+۱۲۰۲۵۵۵۰۱۰۱', '+12025550101'],
    ['+१२०२५५५०१०१', '+12025550101'],
    ['+𝟏𝟤𝟬𝟸𝟓5𝟝𝟢𝟭𝟶𝟙', '+12025550101'],
    ['➕1️⃣2️⃣0️⃣2️⃣5️⃣5️⃣5️⃣0️⃣1️⃣0️⃣1️⃣', '+12025550101'],
    ['⁺12025550101', '+12025550101'],
    ['₊12025550101', '+12025550101'],
    ['﹢12025550101', '+12025550101'],
    ['﬩12025550101', '+12025550101'],
    ['tel:+12025550101', '+12025550101'],
    [' TEL: +1-202-555-0101', '+12025550101'],
    ['tel:+1-202-555-0101;phone-context=example.com', '+12025550101'],
  ])('%j is normalized to %s', ([input = '', normal]) => {
    expect(normalizePhone(input)).toBe(normal);
  });

  test('every number of the local demo range is its own normal form', () => {
    for (let last = 0; last < 10_000; last += 1) {
      const phone = `+1202555${String(last).padStart(4, '0')}`;
      expect(normalizePhone(phone)).toBe(phone);
    }
  });
});

// docs/product.md I8
describe('an impossible number', () => {
  test.for([
    '',
    '+',
    '+1',
    '2025550101',
    '0151 12345678',
    '0049 151 12345678',
    '+1202555010',
    '+120255501011',
    '+15550101',
    '+999123456789',
    '+49110',
    '+490025722',
    '++12025550101',
    '+1202555O101',
    '+1202555CALL',
    '+12025550101 ext. 5',
    '+12025550101;ext=5',
    'tel:2025550101',
    'tel:2025550101;phone-context=+1',
    'tel:+12025550101;ext=5',
    'tel:+12025550101;phone-context=+1;ext=5',
    'tel:tel:+12025550101',
    '+12025550101;phone-context=+1',
    'call +12025550101',
    '+1202555\u0000101',
    '+1202555²101',
    '+1202555①101',
    '＋+12025550101',
  ])('%j is refused', (input) => {
    expect(normalizePhone(input)).toBeNull();
  });

  test('a text over the length limit is refused', () => {
    expect(normalizePhone(`+12025550101${' '.repeat(68)}`)).toBe('+12025550101');
    expect(normalizePhone(`+12025550101${' '.repeat(69)}`)).toBeNull();
    expect(normalizePhone('+1'.repeat(5_000_000))).toBeNull();
  });
});

// docs/product.md I8
describe('a digit', () => {
  const codePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint);
  const digits = codePoints
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((text) => /^\p{Nd}$/u.test(text));

  test('every decimal digit of Unicode becomes an ASCII digit, each value equally often', () => {
    const values = digits.map(normalizeDigits);
    for (const value of '0123456789')
      expect([value, values.filter((other) => other === value).length]).toEqual([value, digits.length / 10]);
  });

  test('a digit with a compatible ASCII digit becomes that digit', () => {
    const compatible = digits.filter((digit) => /^[0-9]$/.test(digit.normalize('NFKC')));
    expect(compatible.length).toBeGreaterThan(60);
    for (const digit of compatible) expect(normalizeDigits(digit)).toBe(digit.normalize('NFKC'));
  });
});

describe('arbitrary text', () => {
  const written = fc.string({
    unit: fc.constantFrom(...'0123456789', '0', '0', '+', ' ', '-', '(', ')', '.', '٣', '０', '\u200e', '−'),
    maxLength: 20,
  });
  const international = written.map((text) => `+${text}`);

  test('normalizePhone returns null or an E.164 number that is its own normal form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), written, international), (input) => {
        const phone = normalizePhone(input);
        if (phone === null) return;
        expect(phone).toMatch(/^\+[1-9][0-9]{3,14}$/);
        expect(normalizePhone(phone)).toBe(phone);
      }),
      { numRuns: 5_000 },
    );
  });
});

test('a block of phones is 10,000 numbers that share all digits but the last four', () => {
  expect(['+4915112345678', '+4915112349999'].map(numberBlock)).toEqual(['+491511234', '+491511234']);
});
