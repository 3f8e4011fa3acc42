import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizePhone } from '../../src/auth/phones.ts';

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
  ])('%s is normalized to %s', ([input = '', normal]) => {
    expect(normalizePhone(input)).toBe(normal);
  });

  test('every number of the local demo range is its own normal form', () => {
    for (let last = 0; last < 10_000; last += 1) {
      const phone = `+1202555${String(last).padStart(4, '0')}`;
      expect(normalizePhone(phone)).toBe(phone);
    }
  });
});

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
    'tel:+12025550101',
    'call +12025550101',
    '+1202555\u0000101',
    '+1202555\n0101',
    '＋１２０２５５５０１０１',
    '+١٢٠٢٥٥٥٠١٠١',
  ])('%j is refused', (input) => {
    expect(normalizePhone(input)).toBeNull();
  });

  test('a text over the length limit is refused', () => {
    expect(normalizePhone(`+12025550101${' '.repeat(30)}`)).toBeNull();
    expect(normalizePhone('+1'.repeat(5_000_000))).toBeNull();
  });
});

describe('arbitrary text', () => {
  const written = fc.string({
    unit: fc.constantFrom(...'0123456789', '0', '0', '+', ' ', '-', '(', ')', '.'),
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
