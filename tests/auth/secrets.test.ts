import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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
    of.hashAddress('+12025550101'),
    of.hashSubject('+12025550101', ''),
    of.hashSubject('+1', '2025550101'),
  ];

  test('equal inputs have equal hashes, even after a restart with the same secret', () => {
    const restarted = createSecrets('a secret of the tests, long enough to be one');
    expect(hashes(restarted)).toEqual(hashes(secrets));
    for (const hash of hashes(secrets)) expect(hash).toMatch(HEX);
  });

  test('hashes differ by purpose, input and secret', () => {
    const all = [...hashes(secrets), ...hashes(others), secrets.fingerprint('+12025550101')];
    expect(new Set(all).size).toBe(all.length);
  });

  test('the hash of a code separates the phone from the code', () => {
    expect(secrets.hashCode('+1202555010', '14242')).not.toBe(secrets.hashCode('+12025550101', '4242'));
  });
});

describe('what is stored', () => {
  test('the hashes of a secret stay the same in every version, because they are stored', () => {
    const of = createSecrets('a secret that is never used again');
    expect({
      phone: of.hashPhone('+12025550101'),
      code: of.hashCode('+12025550101', '4242'),
      device: of.hashDevice('an install'),
      address: of.hashAddress('203.0.113.7'),
      subject: of.hashSubject('https://issuer.example', 'maya'),
      successor: of.deriveSuccessor('a refresh token'),
    }).toMatchInlineSnapshot(`
      {
        "address": "3b628818d336ee0a231b1554e25c77ef8bf87e2c40a4c8c059f9fc4627d82c6e",
        "code": "311a9af99723e6c684abe6d6ab0f6a72fba4ed80676f12d039accf3c3a5f00fe",
        "device": "a2110879185efbbe3ae9b56914c9488b5de076082cf131e096d76e215bb7b233",
        "phone": "4b689a66cbf943a3090836bc7978ce89cc15c565dba871a89de0a97b126b15b1",
        "subject": "246feaee15c7ef2a7b27de73d51a83faae54bbc78cc09d0ba3daef02cefa3967",
        "successor": "ehxRE6AHygun6fFfh_tW0LJHgLH-ILt2VY-ZfaBwoqs",
      }
    `);
  });

  test('what a secret has sealed opens in every version, each for its own purpose', () => {
    const of = createSecrets('a secret that is never used again');
    const seals = [of.sealDeviceToken, of.sealInviteToken, of.sealTransactionId];
    const opens = [of.openDeviceToken, of.openInviteToken, of.openTransactionId];
    for (const [index, seal] of seals.entries()) {
      for (const [other, open] of opens.entries()) {
        const opened = () => open(seal('a text'));
        if (index === other) expect(opened()).toBe('a text');
        else if (open === of.openTransactionId) expect(opened()).toBeNull();
        else expect(opened).toThrow();
      }
    }
  });
});

describe('an appeal token', () => {
  const appellant = { decisionId: 'a decision', userId: 'maya' };

  test('an appeal token opens for a day', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const token = secrets.sealAppealToken(appellant);
    vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1000 - 1);
    expect(secrets.openAppealToken(token)).toEqual(appellant);
    vi.setSystemTime(Date.now() + 1);
    expect(secrets.openAppealToken(token)).toBeNull();
  });

  test.each([
    ['of another secret', others.sealAppealToken(appellant)],
    ['of another purpose', secrets.sealDeviceToken(JSON.stringify({ ...appellant, expiresAt: 1e15 }))],
    ['with more behind its end', `${secrets.sealAppealToken(appellant)}AAAA`],
    [
      'without its padding',
      secrets
        .sealAppealToken({ ...appellant, userId: 'm' })
        .replace(/=+$/, '=')
        .slice(0, -1),
    ],
    ['that is empty', ''],
  ])('a text %s opens nothing', (_, text) => {
    expect(secrets.openAppealToken(text)).toBeNull();
  });
});

describe('refresh tokens', () => {
  test('refresh tokens are 32 bytes and unique', () => {
    const drawn = Array.from({ length: 1_000 }, () => secrets.newToken());
    for (const token of drawn) expect(token).toMatch(REFRESH_TOKEN);
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  test('each refresh token has one successor, which no other token shares', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme' }), { minLength: 2 }), (presented) => {
        const successors = presented.map(secrets.deriveSuccessor);
        expect(presented.map(secrets.deriveSuccessor)).toEqual(successors);
        expect(new Set([...presented, ...successors]).size).toBe(2 * presented.length);
        for (const successor of successors) expect(successor).toMatch(REFRESH_TOKEN);
      }),
    );
  });

  test('a chain of 1,000 successors has no cycle', () => {
    const chain = [secrets.newToken()];
    for (let count = 0; count < 1_000; count += 1) chain.push(secrets.deriveSuccessor(chain.at(-1) ?? ''));
    expect(new Set(chain).size).toBe(chain.length);
  });

  test('successors depend on the secret', () => {
    expect(others.deriveSuccessor('token')).not.toBe(secrets.deriveSuccessor('token'));
  });

  test('the fingerprint of a refresh token is its SHA-256', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(secrets.fingerprint('abc')).toBe(digest);
    expect(others.fingerprint('abc')).toBe(digest);
  });
});

describe('appeal tokens', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const appellant = { decisionId: crypto.randomUUID(), userId: crypto.randomUUID() };

  afterEach(() => {
    vi.useRealTimers();
  });

  test('an appeal token says who appeals against what for a day, and nothing afterwards', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const token = secrets.sealAppealToken(appellant);
    vi.advanceTimersByTime(DAY_MS - 1);
    expect(secrets.openAppealToken(token)).toEqual(appellant);
    vi.advanceTimersByTime(1);
    expect(secrets.openAppealToken(token)).toBeNull();
  });

  test('an appeal token is good for its own secret and purpose alone', () => {
    const token = secrets.sealAppealToken(appellant);
    expect(others.openAppealToken(token)).toBeNull();
    expect(secrets.openTransactionId(token)).toBeNull();
    expect(secrets.openAppealToken(secrets.sealTransactionId('1 0'))).toBeNull();
  });
});

describe('codes', () => {
  test('codes have four digits, including leading zeros, and are uniformly distributed', () => {
    const thousands = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 20_000; draw += 1) {
      const code = secrets.newCode();
      expect(code).toMatch(/^[0-9]{4}$/);
      const first = Number(code[0]);
      thousands[first] = (thousands[first] ?? 0) + 1;
    }
    // Each count is 2000 ± 42; a deviation of eight sigma happens once in 10^14 runs.
    // The next 300,000 draws lack one of the 10,000 codes once in 10^9 runs.
    const drawn = new Set(Array.from({ length: 300_000 }, () => secrets.newCode()));
    expect(drawn.size).toBe(10_000);
    for (const count of thousands) expect(Math.abs(count - 2_000)).toBeLessThan(8 * 42.5);
  });
});

// docs/product.md S20
test('an appeal token names its appellant for a day', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const appellant = { decisionId: 'a decision', userId: 'a person' };
  const token = secrets.sealAppealToken(appellant);
  vi.advanceTimersByTime(24 * 60 * 60 * 1000 - 1);
  expect(secrets.openAppealToken(token)).toEqual(appellant);
  vi.advanceTimersByTime(1);
  expect(secrets.openAppealToken(token)).toBeNull();
});
