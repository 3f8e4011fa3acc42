import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { whileNobodyReads } from '../support/outages.ts';
import { aConfirmed, aGuest, aPhone } from '../support/people.ts';
import { enterCode, otherThan, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine({ IDP_ISSUER: 'https://idp.example', IDP_AUDIENCE: 'opine' });
});

afterAll(() => opine.stop());

test('the login screen learns what it needs', async () => {
  const { status, data } = await aGuest(opine).get('/auth/login-config');
  expect(status).toBe(200);
  expect(data).toEqual({
    appLogoUrl: expect.stringMatching(/^https?:/),
    methods: ['phone_otp', 'idp', 'anonymous'],
    otp: { length: 4, resendAfterSeconds: 60, expiresInSeconds: 300 },
    legal: {
      termsUrl: expect.stringMatching(/^https?:/),
      privacyUrl: expect.stringMatching(/^https?:/),
      termsVersion: expect.any(String),
    },
  });
});

describe('a phone', () => {
  test('signs in by its code as a new user, and later as the same one', async () => {
    const phoneNumber = aPhone();
    const guest = aGuest(opine);
    const before = await timeIn(opine);
    const request = await requestOtp(guest, phoneNumber);
    expect(request).toMatchObject({ status: 200, data: { phoneNumber, resendAfterSeconds: 60 } });
    expect(Object.keys(request.data).sort()).toEqual(['expiresAt', 'phoneNumber', 'resendAfterSeconds']);
    const validFor = Date.parse(request.data.expiresAt) - before.getTime();
    expect(validFor).toBeGreaterThanOrEqual(300_000 - 1);
    expect(validFor).toBeLessThan(330_000);

    const first = await enterCode(guest, phoneNumber);
    expect(first.status).toBe(200);
    expect(first.data).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      expiresAt: expect.any(String),
      user: { id: expect.any(String), username: null, fullName: null, isAnonymous: true, level: 1 },
      isNewUser: true,
      merged: false,
    });
    const lasts = Date.parse(first.data.expiresAt) - before.getTime();
    expect(lasts).toBeGreaterThanOrEqual(900_000 - 1000);
    expect(lasts).toBeLessThan(930_000);

    await timePasses(opine, '1 minute');
    await requestOtp(guest, phoneNumber);
    const second = await enterCode(guest, phoneNumber);
    expect(second.data).toMatchObject({ user: { id: first.data.user.id }, isNewUser: false, merged: false });
    expect(second.data.refreshToken).not.toBe(first.data.refreshToken);
  });

  test('is told who it is once it has a profile', async () => {
    const amara = await aConfirmed(opine, 'Amara');
    await timePasses(opine, '1 minute');
    await requestOtp(amara, amara.phoneNumber);
    const { data } = await enterCode(aGuest(opine), amara.phoneNumber);
    expect(data.user).toEqual({
      id: amara.id,
      username: amara.username,
      fullName: 'Amara',
      isAnonymous: false,
      level: 3,
    });
  });

  test('is the same however it is written', async () => {
    const phoneNumber = aPhone();
    const written = phoneNumber.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, ' +1 ($1) $2-$3 ');
    const guest = aGuest(opine);
    expect((await requestOtp(guest, written)).data.phoneNumber).toBe(phoneNumber);
    const { data } = await enterCode(guest, written);
    await timePasses(opine, '1 minute');
    await requestOtp(guest, phoneNumber);
    expect((await enterCode(guest, phoneNumber)).data.user.id).toBe(data.user.id);
  });

  test.each(['', 'my phone', '2025550123', '+1202555', '+12025550123456789', '+999123456789', '+'])(
    'is refused when it is "%s"',
    async (phoneNumber) => {
      const reply = await requestOtp(aGuest(opine), phoneNumber);
      expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['phoneNumber'] }] }));
      expect(await enterCode(aGuest(opine), phoneNumber)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    },
  );

  test.each(['', '424', '42424', '42a2', ' 4242', '4242\n', '４２４２'])(
    'has no code like %j',
    async (code) => {
      const reply = await enterCode(aGuest(opine), aPhone(), code);
      expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['code'] }] }));
    },
  );
});

describe('whether a phone has an account is not told', () => {
  test('by asking for a code', async () => {
    const known = await aConfirmed(opine);
    await timePasses(opine, '1 minute');
    const [one, other] = await Promise.all([
      requestOtp(aGuest(opine), known.phoneNumber),
      requestOtp(aGuest(opine), aPhone()),
    ]);
    expect(one.status).toBe(200);
    expect([one.status, one.message, Object.keys(one.data), one.data.resendAfterSeconds]).toEqual([
      other.status,
      other.message,
      Object.keys(other.data),
      other.data.resendAfterSeconds,
    ]);
  });

  test('by entering one, asked for or not', async () => {
    const known = await aConfirmed(opine);
    const unknown = aPhone();
    const tries = async (phoneNumber: string) => {
      const replies = [await enterCode(aGuest(opine), phoneNumber, otherThan('4242'))];
      await timePasses(opine, '1 minute');
      await requestOtp(aGuest(opine), phoneNumber);
      for (const _ of [1, 2, 3, 4]) {
        replies.push(await enterCode(aGuest(opine), phoneNumber, otherThan('4242')));
      }
      return replies.map(({ status, error }) => [status, error.code, error.message]);
    };
    expect(await tries(known.phoneNumber)).toEqual(await tries(unknown));
  });

  test('by the time either takes: neither looks at any account', async () => {
    const phoneNumber = aPhone();
    await whileNobodyReads(opine.database, 'app.users', async () => {
      expect((await requestOtp(aGuest(opine), phoneNumber)).status).toBe(200);
      expect((await enterCode(aGuest(opine), phoneNumber, otherThan('4242'))).status).toBe(400);
    });
  });
});
