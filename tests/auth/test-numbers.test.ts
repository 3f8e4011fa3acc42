import { expect, test } from 'vitest';
import { parseTestNumbers } from '../../src/auth/phones.ts';

// docs/product.md R7
test('a star matches all further digits, and a number without a star matches itself', () => {
  const numbers = parseTestNumbers('+1202555*=4242, +4915112345678=1111');
  expect(numbers.codeFor('+12025550101')).toBe('4242');
  expect(numbers.codeFor('+12025559999')).toBe('4242');
  expect(numbers.codeFor('+4915112345678')).toBe('1111');
});

test('other phones have no fixed code', () => {
  const numbers = parseTestNumbers('+1202555*=4242,+4915112345678=1111');
  for (const phone of ['+12025560101', '+49151123456789', '+491511234567', '', '+', 'x+12025550101']) {
    expect(numbers.codeFor(phone)).toBeUndefined();
  }
});

test('the first matching entry wins', () => {
  expect(parseTestNumbers('+12025550101=1111,+1202555*=4242').codeFor('+12025550101')).toBe('1111');
  expect(parseTestNumbers('+1202555*=4242,+12025550101=1111').codeFor('+12025550101')).toBe('4242');
});

test('a code keeps its leading zeros', () => {
  expect(parseTestNumbers('+12025550101=0007').codeFor('+12025550101')).toBe('0007');
});

test('an empty configuration has no test numbers', () => {
  for (const text of ['', '  ']) expect(parseTestNumbers(text).codeFor('+12025550101')).toBeUndefined();
});

test.for([
  '+1202555*',
  '1202555*=4242',
  '+1202555*=424',
  '+1202555*=42424',
  '+1202555*=abcd',
  '*=4242',
  '+*=4242',
  '+1202*555=4242',
  '+1202555**=4242',
  '+1 202 555*=4242',
  '+1202555*=4242;+4915112345678=1111',
  '+1202=4242',
  '+4900151123=4242',
  '',
])('the invalid entry %j is refused with an error that gives its position but not its text', (entry) => {
  const parse = () => parseTestNumbers(`+12025550101=1111,${entry}`);
  expect(parse).toThrow(/^entry 2 /);
  if (entry !== '') expect(parse).not.toThrow(entry);
});
