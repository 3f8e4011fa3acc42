import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSeal, createSecrets } from '../../src/auth/secrets.ts';

const seal = createSeal(randomBytes(32));

describe('a sealed text', () => {
  test('a sealed text opens to the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 5000 }), (text) => {
        expect(seal.open(seal.seal(text))).toBe(text);
      }),
    );
  });

  test('sealing the same text twice gives different ciphertexts that hide the text', () => {
    expect(seal.seal('a push token')).not.toBe(seal.seal('a push token'));
    expect(Buffer.from(seal.seal('a push token'), 'base64').toString('latin1')).not.toContain('push');
  });

  test('another key cannot open a sealed text', () => {
    const other = createSeal(randomBytes(32));
    expect(() => other.open(seal.seal('a push token'))).toThrow();
  });

  test('a sealed text with a flipped bit or a missing byte is refused', () => {
    const sealed = Buffer.from(seal.seal('a push token'), 'base64');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => seal.open(changed.toString('base64'))).toThrow();
      expect(() => seal.open(sealed.subarray(0, at).toString('base64'))).toThrow();
    }
  });
});

test('device tokens are sealed with a key derived from the secret', () => {
  const [one, same] = [createSecrets('s'.repeat(32)), createSecrets('s'.repeat(32))];
  expect(same.openDeviceToken(one.sealDeviceToken('a push token'))).toBe('a push token');
  const other = createSecrets('t'.repeat(32));
  expect(() => other.openDeviceToken(one.sealDeviceToken('a push token'))).toThrow();
});
