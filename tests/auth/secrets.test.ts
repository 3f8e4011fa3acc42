import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecrets } from '../../src/auth/secrets.ts';

const secrets = createSecrets('a secret of the tests, long enough to be one');
const others = createSecrets('another secret of the tests, as long as the one');

const HEX = /^[0-9a-f]{64}$/;
const REFRESH_TOKEN = /^[A-Za-z0-9_-]{43}$/;

describe('hashes', () => {
  const hashes = (of: typeof secrets) => [
    of.hashPhone('+12025550101'),
    of.hashDevice('+12025550101'),
    of.hashCode('+12025550101', '4242'),
    of.hashCode('+12025550101', '4243'),
    of.hashCode('+12025550102', '4242'),
  ];

  test('are the same for the same input, also after a restart with the same secret', () => {
    const restarted = createSecrets('a secret of the tests, long enough to be one');
    expect(hashes(restarted)).toEqual(hashes(secrets));
    for (const hash of hashes(secrets)) expect(hash).toMatch(HEX);
  });

  test('differ by purpose, by input and by secret', () => {
    const all = [...hashes(secrets), ...hashes(others), secrets.fingerprint('+12025550101')];
    expect(new Set(all).size).toBe(all.length);
  });

  test('of a code cannot be shifted between phone and code', () => {
    expect(secrets.hashCode('+1202555010', '14242')).not.toBe(secrets.hashCode('+12025550101', '4242'));
  });
});

describe('refresh tokens', () => {
  test('are 32 bytes that never come twice', () => {
    const drawn = Array.from({ length: 1_000 }, () => secrets.newToken());
    for (const token of drawn) expect(token).toMatch(REFRESH_TOKEN);
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  test('have one successor each, which no other token shares', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 2 }), (presented) => {
        const successors = presented.map(secrets.successorOf);
        expect(presented.map(secrets.successorOf)).toEqual(successors);
        expect(new Set([...presented, ...successors]).size).toBe(2 * presented.length);
        for (const successor of successors) expect(successor).toMatch(REFRESH_TOKEN);
      }),
    );
  });

  test('lead on for as long as a session lives without coming round', () => {
    const chain = [secrets.newToken()];
    for (let turn = 0; turn < 1_000; turn += 1) chain.push(secrets.successorOf(chain.at(-1) ?? ''));
    expect(new Set(chain).size).toBe(chain.length);
  });

  test('have successors that need the secret', () => {
    expect(others.successorOf('token')).not.toBe(secrets.successorOf('token'));
  });

  test('are stored as SHA-256', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(secrets.fingerprint('abc')).toBe(digest);
    expect(others.fingerprint('abc')).toBe(digest);
  });
});

describe('codes', () => {
  test('have four digits, leading zeros included, and use the whole range evenly', () => {
    const thousands = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 20_000; draw += 1) {
      const code = secrets.newCode();
      expect(code).toMatch(/^[0-9]{4}$/);
      const first = Number(code[0]);
      thousands[first] = (thousands[first] ?? 0) + 1;
    }
    // Each is 2000 ± 42 by chance; eight deviations off happens once in 10^14 runs.
    for (const count of thousands) expect(Math.abs(count - 2_000)).toBeLessThan(8 * 42.5);
  });
});
