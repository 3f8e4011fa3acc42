import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Client, clientOf, type Extras, type Reply, refusal } from '../support/client.ts';
import { advanceTime, anOpine, type Opine } from '../support/opine.ts';
import { newPhoneNumber, newRealPhoneNumber } from '../support/people.ts';
import { duringTransaction } from '../support/races.ts';
import { anOpineWithSms, anotherServer, enterCode, otherCode, requestOtp } from '../support/sign-in.ts';

/** A caller whose requests reach the server through a proxy with this `X-Forwarded-For`. */
function behindProxy(url: string, forwardedFor: string): Client {
  const client = clientOf(url);
  const headers = { 'x-forwarded-for': forwardedFor };
  return {
    ...client,
    post: (path, body, extras?: Extras) => client.post(path, body, { ...extras, headers }),
  };
}

const RATE_LIMITED = refusal(429, 'RATE_LIMITED');
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);
const requestCode = (caller: Client) => requestOtp(caller, newPhoneNumber());
const tryCode = (caller: Client) => enterCode(caller, newPhoneNumber(), '0000');

/** The rate limits by address allow three an hour here, so one every 20 minutes. */
const PER_HOUR = 3;

/**
 * Expects `attempt` to be refused now and two seconds before its Retry-After, and lets that time pass. Returns the
 * Retry-After in seconds.
 */
async function waitOutRetryAfter(opine: Opine, attempt: () => Promise<Reply>): Promise<number> {
  const refused = await attempt();
  expect(refused).toMatchObject(RATE_LIMITED);
  const { retryAfterSeconds } = refused.error.details;
  expect(refused.headers.get('retry-after')).toBe(String(retryAfterSeconds));
  await advanceTime(opine, `${retryAfterSeconds - 2} seconds`);
  expect(await attempt()).toMatchObject(RATE_LIMITED);
  await advanceTime(opine, '2 seconds');
  return retryAfterSeconds;
}

test('a code request that waits for another request of the phone is refused once that has its code', async () => {
  const opine = await anOpine();
  const [caller, phone] = [clientOf(opine.url), newRealPhoneNumber()];
  expect((await requestOtp(caller, phone)).status).toBe(200);
  await advanceTime(opine, '1 minute');
  const reply = await duringTransaction(
    opine,
    () => requestOtp(caller, phone),
    (other) => sql`select from app.otp_codes for update`.execute(other),
    (other) => sql`update app.otp_codes set requested_at = app.now()`.execute(other),
  );
  expect(reply).toMatchObject(RATE_LIMITED);
});

describe('the daily limit of codes of a phone', () => {
  // docs/product.md W14
  test('the configured daily limit refuses further codes until its Retry-After has passed', async () => {
    const opine = await anOpineWithSms({ OTP_CODES_PER_PHONE_PER_DAY: '2' });
    const phone = newRealPhoneNumber();
    const requestAgain = () => requestOtp(clientOf(opine.url), phone);
    const requestTwice = async () => {
      for (const _ of [1, 2]) {
        expect((await requestAgain()).status).toBe(200);
        await advanceTime(opine, '1 minute');
      }
    };
    await requestTwice();
    expect((await requestOtp(clientOf(opine.url), newRealPhoneNumber())).status).toBe(200);
    expect(await waitOutRetryAfter(opine, requestAgain)).toBeLessThanOrEqual(86_400 - 120);
    expect((await requestAgain()).status).toBe(200);
    await advanceTime(opine, '1 day');
    await requestTwice();
    expect(await requestAgain()).toMatchObject(RATE_LIMITED);
  });

  // docs/product.md I11
  test('a test number has no daily limit of codes', async () => {
    const opine = await anOpine({ OTP_CODES_PER_PHONE_PER_DAY: '1' });
    const phone = newPhoneNumber();
    for (const _ of [1, 2, 3]) {
      expect((await requestOtp(clientOf(opine.url), phone)).status).toBe(200);
      await advanceTime(opine, '1 minute');
    }
  });

  // docs/product.md I9
  test('without SMS_TEST_NUMBERS_WAIT a test number has its next code at once, and another phone after a minute', async () => {
    const opine = await anOpineWithSms({ SMS_TEST_NUMBERS_WAIT: 'false' });
    const phone = newPhoneNumber();
    for (const _ of [1, 2, 3]) {
      const { status, data } = await requestOtp(clientOf(opine.url), phone);
      expect([status, data.resendAfterSeconds]).toEqual([200, 0]);
      expect((await enterCode(clientOf(opine.url), phone)).status).toBe(200);
    }
    const real = newRealPhoneNumber();
    expect((await requestOtp(clientOf(opine.url), real)).data.resendAfterSeconds).toBe(60);
    expect(await requestOtp(clientOf(opine.url), real)).toMatchObject(RATE_LIMITED);
  });

  // docs/product.md W26, W27
  test('two servers count the codes of a phone together', async () => {
    const changes = { OTP_CODES_PER_PHONE_PER_DAY: '1' };
    const opine = await anOpineWithSms(changes);
    const second = await anotherServer(opine, { ...changes, SMS_PROVIDER: 'console' });
    const phone = newRealPhoneNumber();
    expect((await requestOtp(clientOf(opine.url), phone)).status).toBe(200);
    await advanceTime(opine, '1 minute');
    expect(await requestOtp(clientOf(second), phone)).toMatchObject(RATE_LIMITED);
  });
});

describe.each([
  ['code requests', 'OTP_REQUESTS_PER_ADDRESS_PER_HOUR', requestCode, 200],
  ['code tries', 'OTP_TRIES_PER_ADDRESS_PER_HOUR', tryCode, 400],
] as const)('the hourly limit of %s from one address', (_, variable, attempt, usual) => {
  const changes = { TRUSTED_PROXY_COUNT: '1', [variable]: String(PER_HOUR) };
  const attempts = async (caller: Client, times: number) => {
    const replies = [];
    for (const _ of Array(times).keys()) replies.push(await attempt(caller));
    return replies;
  };

  test('concurrent attempts from one address cannot exceed the limit', async () => {
    const opine = await anOpine(changes);
    const allAtOnce = async (caller: Client) =>
      statusesOf(await Promise.all(Array.from({ length: PER_HOUR }, () => attempt(caller))));
    for (const host of Array(20).keys()) {
      const caller = behindProxy(opine.url, `203.0.113.${host}`);
      expect(await allAtOnce(caller)).toEqual(Array(PER_HOUR).fill(usual));
      expect(await allAtOnce(caller)).toEqual(Array(PER_HOUR).fill(429));
    }
  });

  test('two servers count the attempts of an address together', async () => {
    const opine = await anOpine(changes);
    const second = await anotherServer(opine, changes);
    await attempts(behindProxy(opine.url, '203.0.113.7'), PER_HOUR - 1);
    expect((await attempt(behindProxy(second, '203.0.113.7'))).status).toBe(usual);
    for (const url of [opine.url, second]) {
      expect(await attempt(behindProxy(url, '203.0.113.7'))).toMatchObject(RATE_LIMITED);
    }
  });
});

// docs/product.md I21
test('the database has the address of a client that requests and enters codes as a hash only', async () => {
  const opine = await anOpine({ TRUSTED_PROXY_COUNT: '1' });
  const caller = behindProxy(opine.url, '203.0.113.7');
  const phone = newPhoneNumber();
  await requestOtp(caller, phone);
  expect((await enterCode(caller, phone)).status).toBe(200);

  const { rows } = await sql<{ row: string }>`
    select r::text as row from app.rate_limits as r union all select p::text from app.sign_in_places as p
  `.execute(opine.database.superuser);
  const bytes = Buffer.from('203.0.113.7').toString('hex');
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.filter(({ row }) => row.includes('203.0.113') || row.includes(bytes))).toEqual([]);
});

test('the loopback address has a limit of code requests in production', async () => {
  const opine = await anOpineWithSms({
    NODE_ENV: 'production',
    SMS_TEST_NUMBERS: undefined,
    OTP_REQUESTS_PER_ADDRESS_PER_HOUR: '1',
  });
  expect((await requestOtp(clientOf(opine.url), newRealPhoneNumber())).status).toBe(200);
  expect(await requestOtp(clientOf(opine.url), newRealPhoneNumber())).toMatchObject(RATE_LIMITED);
});

test('two servers accept one code once', async () => {
  const opine = await anOpineWithSms({});
  const second = await anotherServer(opine, {});
  const phone = newRealPhoneNumber();
  await requestOtp(clientOf(opine.url), phone);
  const code = opine.codeSentTo(phone);
  const replies = await Promise.all([opine.url, second].map((url) => enterCode(clientOf(url), phone, code)));
  expect(statusesOf(replies).sort()).toEqual([200, 400]);
});

describe('the circuit breaker on wrong codes of the whole service', () => {
  const changes = { OTP_WRONG_TRIES_PER_DAY: '4' };

  async function withFourWrongTries() {
    const opine = await anOpineWithSms(changes);
    const codeFor = async (phone: string, caller = clientOf(opine.url)) => {
      expect((await requestOtp(caller, phone)).status).toBe(200);
      return opine.codeSentTo(phone);
    };
    for (const phone of [newRealPhoneNumber(), newRealPhoneNumber()]) {
      const wrong = otherCode(await codeFor(phone));
      for (const _ of [1, 2]) expect((await enterCode(clientOf(opine.url), phone, wrong)).status).toBe(400);
    }
    return { opine, codeFor };
  }

  // docs/product.md I11
  test('four wrong codes lock all real phones out until the Retry-After has passed', async () => {
    const { opine, codeFor } = await withFourWrongTries();
    const phone = newRealPhoneNumber();
    const code = await codeFor(phone);
    const refused = await enterCode(clientOf(opine.url), phone, code);
    expect(refused).toMatchObject(RATE_LIMITED);
    const { retryAfterSeconds } = refused.error.details;
    expect(retryAfterSeconds).toBeLessThanOrEqual(21_600);
    expect(retryAfterSeconds).toBeGreaterThan(21_600 - 15);
    // The first code expires before the Retry-After.
    await advanceTime(opine, `${retryAfterSeconds - 122} seconds`);
    const later = await codeFor(phone);
    await advanceTime(opine, '2 minutes');
    expect(await enterCode(clientOf(opine.url), phone, later)).toMatchObject(RATE_LIMITED);
    await advanceTime(opine, '2 seconds');
    expect((await enterCode(clientOf(opine.url), phone, later)).status).toBe(200);
  });

  test('two servers count concurrent wrong codes together', async () => {
    const opine = await anOpineWithSms(changes);
    const second = await anotherServer(opine, { ...changes, SMS_PROVIDER: 'console' });
    const phones = Array.from({ length: 10 }, newRealPhoneNumber);
    for (const phone of phones) await requestOtp(clientOf(opine.url), phone);
    const replies = await Promise.all(
      phones.map((phone, index) =>
        enterCode(clientOf(index % 2 === 0 ? opine.url : second), phone, otherCode(opine.codeSentTo(phone))),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(4).fill(400),
      ...Array(6).fill(429),
    ]);
  });
});
