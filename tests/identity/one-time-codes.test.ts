import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, refusal } from '../support/client.ts';
import { advanceTime, currentTime } from '../support/opine.ts';
import { whileReadsBlock } from '../support/outages.ts';
import { aGuest, confirmedPerson, newPhoneNumber, newRealPhoneNumber } from '../support/people.ts';
import {
  enterCode,
  type OpineWithSms,
  otherCode,
  requestOtp,
  startOpineWithSms,
} from '../support/sign-in.ts';

let opine: OpineWithSms;

beforeAll(async () => {
  opine = await startOpineWithSms({ IDP_ISSUER: 'https://idp.example', IDP_AUDIENCE: 'opine' });
});

afterAll(() => opine.stop());

const requestCode = (phoneNumber: string) => requestOtp(aGuest(opine), phoneNumber);
const tryCode = (phoneNumber: string, code: string) => enterCode(aGuest(opine), phoneNumber, code);
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);

// docs/product.md I1
test('GET /auth/login-config answers the methods, the rules of codes and the legal links', async () => {
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
    captcha: null,
  });
});

describe('POST /auth/otp/request', () => {
  test('a code arrives as a text message and signs its phone in', async () => {
    const phone = newRealPhoneNumber();
    await requestCode(phone.replace('+49151', '+49 (151) '));
    const code = opine.codeSentTo(phone);
    expect(code).toMatch(/^\d{4}$/);
    expect(await tryCode(phone, code)).toMatchObject({ status: 200, data: { isNewUser: true } });
  });

  test('codes of different phones differ', async () => {
    const phones = [1, 2, 3, 4, 5, 6].map(newRealPhoneNumber);
    await Promise.all(phones.map(requestCode));
    expect(new Set(phones.map((phone) => opine.codeSentTo(phone))).size).toBeGreaterThan(1);
  });

  // docs/product.md I9, I21
  test('codes and phones are stored as hashes only', async () => {
    const phone = newRealPhoneNumber();
    await requestCode(phone);
    const rows = await opine.database.superuser.selectFrom('app.otp_codes').selectAll().execute();
    expect(rows).not.toHaveLength(0);
    const stored = JSON.stringify(
      rows.map(({ code_hash, phone_hash }) =>
        [code_hash, phone_hash].map((hash) => hash?.toString('latin1')),
      ),
    );
    expect(stored).not.toContain(phone);
    expect(stored).not.toContain(`"${opine.codeSentTo(phone)}"`);
  });

  test('eight concurrent requests of a phone send one message', async () => {
    const phone = newRealPhoneNumber();
    const statuses = statusesOf(await Promise.all(Array.from({ length: 8 }, () => requestCode(phone))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect(opine.twilio.requests.filter(({ form }) => form.To === phone)).toHaveLength(1);
  });

  // docs/product.md I9
  test('a phone gets five codes a day', async () => {
    const phone = newRealPhoneNumber();
    for (const status of [200, 200, 200, 200, 200, 429]) {
      expect((await requestCode(phone)).status).toBe(status);
      await advanceTime(opine, '1 minute');
    }
  });

  test('a request while Twilio fails gets 503, and succeeds after the Retry-After', async () => {
    const phone = newRealPhoneNumber();
    // One message is tried three times.
    opine.twilio.answerNext({ status: 500 }, { status: 500 }, { status: 500 });
    const refused = await requestCode(phone);
    expect(refused).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    await advanceTime(opine, `${refused.headers.get('retry-after')} seconds`);
    const { requests } = opine.twilio;
    const { length } = requests;
    expect((await requestCode(phone)).status).toBe(200);
    expect(requests.length).toBeGreaterThan(length);
  });
});

describe('POST /auth/otp/verify', () => {
  // docs/product.md I1, I2, L4
  test('the code of an unknown phone creates a user, and a later code finds it', async () => {
    const phoneNumber = newPhoneNumber();
    const guest = aGuest(opine);
    const before = await currentTime(opine);
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

    await advanceTime(opine, '1 minute');
    await requestOtp(guest, phoneNumber);
    const second = await enterCode(guest, phoneNumber);
    expect(second.data).toMatchObject({ user: { id: first.data.user.id }, isNewUser: false, merged: false });
    expect(second.data.refreshToken).not.toBe(first.data.refreshToken);
  });

  // docs/product.md I8
  test('a phone pasted with spaces, brackets and invisible characters is the same phone', async () => {
    const phoneNumber = newPhoneNumber();
    const written = phoneNumber.replace(
      /^\+1(\d{3})(\d{3})(\d{4})$/,
      ' \u202atel:＋1 ($1)\u00a0$2−$3\u202c ',
    );
    const guest = aGuest(opine);
    expect((await requestOtp(guest, written)).data.phoneNumber).toBe(phoneNumber);
    const { data } = await enterCode(guest, written);
    await advanceTime(opine, '1 minute');
    await requestOtp(guest, phoneNumber);
    expect((await enterCode(guest, phoneNumber)).data.user.id).toBe(data.user.id);
  });

  // docs/product.md I8
  test('an impossible phone and a code of another form are refused', async () => {
    const guest = aGuest(opine);
    const refused = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });
    for (const phone of ['', '2025550123', '+999123456789']) {
      expect(await requestOtp(guest, phone)).toMatchObject(refused('phoneNumber'));
      expect(await enterCode(guest, phone)).toMatchObject(refused('phoneNumber'));
    }
    for (const code of ['', '424', '42424', '42a2', '+4242', '4242\u0000', '4 2 4'])
      expect(await enterCode(guest, newPhoneNumber(), code)).toMatchObject(refused('code'));
  });

  // docs/product.md I8
  test.each(['4 242', '4-242', ' 4242\n', '４２４２', '٤٢٤٢', '\u200e42\u200b42\ufe0f', '4–2−4‑2', '4️⃣2️⃣4️⃣2️⃣'])(
    'the code 4242 is accepted as %j',
    async (code) => {
      const phoneNumber = newPhoneNumber();
      await requestOtp(aGuest(opine), phoneNumber);
      expect((await enterCode(aGuest(opine), phoneNumber, code)).status).toBe(200);
    },
  );

  test('ten concurrent tries of one code sign in once', async () => {
    const phone = newRealPhoneNumber();
    await requestCode(phone);
    const code = opine.codeSentTo(phone);
    const statuses = statusesOf(await Promise.all(Array.from({ length: 10 }, () => tryCode(phone, code))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 429)).toEqual([]);
  });

  // docs/product.md I9
  test('a code expires after five minutes', async () => {
    const phone = newRealPhoneNumber();
    await requestCode(phone);
    await advanceTime(opine, '5 minutes');
    expect(await tryCode(phone, opine.codeSentTo(phone))).toMatchObject(refusal(400, 'OTP_EXPIRED'));
  });

  // docs/product.md I10
  test('concurrent wrong codes cannot exceed three tries', async () => {
    const phone = newRealPhoneNumber();
    await requestCode(phone);
    const code = opine.codeSentTo(phone);
    const statuses = statusesOf(
      await Promise.all(Array.from({ length: 12 }, () => tryCode(phone, otherCode(code)))),
    );
    expect(statuses.filter((status) => status === 400)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await tryCode(phone, code)).status).toBe(429);
  });
});

// docs/product.md I9
describe('an observer without an account', () => {
  test('answers to wrong codes do not reveal whether a phone has an account', async () => {
    const known = await confirmedPerson(opine);
    const unknown = newPhoneNumber();
    const tries = async (phoneNumber: string) => {
      const replies = [await enterCode(aGuest(opine), phoneNumber, otherCode('4242'))];
      await advanceTime(opine, '1 minute');
      await requestOtp(aGuest(opine), phoneNumber);
      for (const _ of [1, 2, 3, 4]) {
        replies.push(await enterCode(aGuest(opine), phoneNumber, otherCode('4242')));
      }
      return replies.map(({ status, error }) => [status, error.code, error.message]);
    };
    expect(await tries(known.phoneNumber)).toEqual(await tries(unknown));
  });

  test('requesting and trying a code read no account, so that their time reveals none', async () => {
    const phoneNumber = newPhoneNumber();
    await whileReadsBlock(opine.database, 'app.users', async () => {
      expect((await requestOtp(aGuest(opine), phoneNumber)).status).toBe(200);
      expect((await enterCode(aGuest(opine), phoneNumber, otherCode('4242'))).status).toBe(400);
    });
  });

  test('no part of an answer reveals whether a phone has an account', async () => {
    const guest = aGuest(opine);
    const known = (await confirmedPerson(opine)).phoneNumber;
    const unknown = newPhoneNumber();
    await advanceTime(opine, '1 minute');
    /** Returns every part of an answer that could differ. */
    const comparablePartOf = ({ status, message, data, error, headers }: Reply, phone: string) => {
      const shown = [...headers]
        .filter(([name]) => !['date', 'x-request-id'].includes(name))
        // A position is encrypted, so that only its length says anything.
        .map(([name, value]) => (name === 'x-opine-position' ? [name, value.length] : [name, value]));
      const body = JSON.stringify({ message, data, error });
      return [status, shown, body.replace(phone, 'the phone').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'a time')];
    };
    const answersTo = async (phone: string) => [
      comparablePartOf(await requestOtp(guest, phone), phone),
      comparablePartOf(await enterCode(guest, phone, '0000'), phone),
      comparablePartOf(await enterCode(guest, phone, '0000'), phone),
      comparablePartOf(await enterCode(guest, phone, '12'), phone),
    ];
    expect(await answersTo(known)).toEqual(await answersTo(unknown));
  });
});
