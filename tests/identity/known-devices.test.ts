import { describe, expect, test } from 'vitest';
import { type Client, clientOf, refusal } from '../support/client.ts';
import { advanceTime, anOpine } from '../support/opine.ts';
import { newPhoneNumber, newRealPhoneNumber } from '../support/people.ts';
import { anOpineWithSms, enterCode, type OpineWithSms, otherCode, requestOtp } from '../support/sign-in.ts';

const RATE_LIMITED = refusal(429, 'RATE_LIMITED');
const DEVICE = 'the phone in her pocket';

/** A caller from an address of its own. */
function from(opine: OpineWithSms, address: string): Client {
  const client = clientOf(opine.url);
  return {
    ...client,
    post: (path, body) => client.post(path, body, { headers: { 'x-forwarded-for': address } }),
  };
}

const requestCode = (caller: Client, phoneNumber: string, deviceId?: string) =>
  caller.post('/auth/otp/request', { phoneNumber, deviceId });

const enter = (caller: Client, phoneNumber: string, code: string, deviceId?: string) =>
  caller.post('/auth/otp/verify', { phoneNumber, code, deviceId });

/** Signs a phone in, and returns the number. A minute later it may have another code. */
async function aPhoneSeenFrom(opine: OpineWithSms, address: string, deviceId?: string): Promise<string> {
  const phone = newRealPhoneNumber();
  await requestCode(from(opine, address), phone, deviceId);
  expect((await enter(from(opine, address), phone, opine.codeSentTo(phone), deviceId)).status).toBe(200);
  await advanceTime(opine, '61 seconds');
  return phone;
}

/** Enters wrong codes for as many phones, one each. */
async function guess(opine: OpineWithSms, address: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const phone = newRealPhoneNumber();
    await requestCode(from(opine, address), phone);
    statuses.push((await enter(from(opine, address), phone, otherCode(opine.codeSentTo(phone)))).status);
  }
  return statuses;
}

// docs/product.md A5
describe('while the circuit breaker is open', () => {
  const open = async () => {
    const opine = await anOpineWithSms({ OTP_WRONG_TRIES_PER_DAY: '3', TRUSTED_PROXY_COUNT: '1' });
    const phone = await aPhoneSeenFrom(opine, '192.0.2.1', DEVICE);
    expect(await guess(opine, '203.0.113.9', 4)).toEqual([400, 400, 400, 429]);
    return { opine, phone };
  };

  test('a phone signs in from its device, at any address, and a code request answers 200', async () => {
    const { opine, phone } = await open();
    expect((await requestCode(from(opine, '198.51.100.5'), phone)).status).toBe(200);
    const caller = from(opine, '198.51.100.5');
    expect((await enter(caller, phone, opine.codeSentTo(phone), DEVICE)).status).toBe(200);
  });

  test('a wrong code from the device is refused as always', async () => {
    const { opine, phone } = await open();
    await requestCode(clientOf(opine.url), phone);
    const wrong = otherCode(opine.codeSentTo(phone));
    expect(await enter(clientOf(opine.url), phone, wrong, DEVICE)).toMatchObject(refusal(400, 'OTP_INVALID'));
  });

  test.each([
    ['without a device', undefined],
    ['from another device', 'a device of somebody else'],
  ])('the phone does not sign in %s', async (_, deviceId) => {
    const { opine, phone } = await open();
    await requestCode(from(opine, '192.0.2.1'), phone);
    const code = opine.codeSentTo(phone);
    expect(await enter(from(opine, '192.0.2.1'), phone, code, deviceId)).toMatchObject(RATE_LIMITED);
  });

  test('another phone does not sign in from the device', async () => {
    const { opine } = await open();
    const phone = newRealPhoneNumber();
    await requestCode(clientOf(opine.url), phone);
    expect(await enter(clientOf(opine.url), phone, opine.codeSentTo(phone), DEVICE)).toMatchObject(
      RATE_LIMITED,
    );
  });
});

describe('the circuit breaker', () => {
  // docs/product.md A5
  test('counts no wrong code of an address from which a phone signed in within 30 days', async () => {
    const opine = await anOpineWithSms({ OTP_WRONG_TRIES_PER_DAY: '3', TRUSTED_PROXY_COUNT: '1' });
    await aPhoneSeenFrom(opine, '192.0.2.1');
    expect(await guess(opine, '192.0.2.1', 5)).toEqual(Array(5).fill(400));
    await advanceTime(opine, '30 days');
    expect(await guess(opine, '192.0.2.1', 4)).toEqual([400, 400, 400, 429]);
  });
});

describe('the daily limit of codes of a phone', () => {
  // docs/product.md A6
  test('other devices that use up the daily limit of a phone do not lock out its known device, which has a limit of its own', async () => {
    const opine = await anOpineWithSms({ OTP_CODES_PER_PHONE_PER_DAY: '2' });
    const phone = await aPhoneSeenFrom(opine, '192.0.2.1', DEVICE);
    const otherDevice = clientOf(opine.url);
    expect((await requestCode(otherDevice, phone)).status).toBe(200);
    await advanceTime(opine, '61 seconds');
    expect(await requestCode(otherDevice, phone)).toMatchObject(RATE_LIMITED);
    for (const _ of [1, 2]) {
      expect((await requestCode(otherDevice, phone, DEVICE)).status).toBe(200);
      await advanceTime(opine, '61 seconds');
    }
    expect(await requestCode(otherDevice, phone, DEVICE)).toMatchObject(RATE_LIMITED);
  });
});

describe('the limit of codes to one block of 10,000 numbers', () => {
  const block = (index: number) => `+49151999800${index}`;

  // docs/product.md A4
  test('the limit of a block of numbers counts only codes that nobody verified', async () => {
    const opine = await anOpineWithSms({ SMS_PER_PREFIX_PER_HOUR: '3' });
    const caller = clientOf(opine.url);
    for (const index of [1, 2, 3]) {
      expect((await requestOtp(caller, block(index))).status).toBe(200);
      const code = opine.codeSentTo(block(index));
      if (index < 3) expect((await enterCode(caller, block(index), code)).status).toBe(200);
    }
    for (const index of [4, 5]) expect((await requestOtp(caller, block(index))).status).toBe(200);
    const refused = await requestOtp(caller, block(6));
    expect(refused).toMatchObject(RATE_LIMITED);
    expect(refused.error.details.retryAfterSeconds).toBeLessThanOrEqual(1200);
    expect((await requestOtp(caller, newRealPhoneNumber())).status).toBe(200);
    await advanceTime(opine, '20 minutes');
    expect((await requestOtp(caller, block(6))).status).toBe(200);
  });

  /** Lets a phone of the block sign in from its device, and others use up the limit of the block. */
  const exhausted = async () => {
    const opine = await anOpineWithSms({ SMS_PER_PREFIX_PER_HOUR: '2' });
    const caller = clientOf(opine.url);
    await requestCode(caller, block(0), DEVICE);
    expect((await enter(caller, block(0), opine.codeSentTo(block(0)), DEVICE)).status).toBe(200);
    await advanceTime(opine, '61 seconds');
    for (const index of [1, 2]) expect((await requestOtp(caller, block(index))).status).toBe(200);
    return { opine, caller };
  };

  // docs/product.md A4
  test('the limit of a block of numbers does not lock out a phone from its known device', async () => {
    const { opine, caller } = await exhausted();
    const others = [undefined, 'a device of somebody else'];
    for (const deviceId of others)
      expect(await requestCode(caller, block(0), deviceId)).toMatchObject(RATE_LIMITED);
    expect(await requestCode(caller, block(3), DEVICE)).toMatchObject(RATE_LIMITED);
    const { status, data } = await requestCode(caller, block(0), DEVICE);
    expect([status, Object.keys(data).toSorted()]).toEqual([
      200,
      ['expiresAt', 'phoneNumber', 'resendAfterSeconds'],
    ]);
    expect((await enter(caller, block(0), opine.codeSentTo(block(0)))).status).toBe(200);
  });

  test('a code of a known device gives nothing back to the limit of its block', async () => {
    const { opine, caller } = await exhausted();
    await requestCode(caller, block(0), DEVICE);
    expect((await enter(caller, block(0), opine.codeSentTo(block(0)), DEVICE)).status).toBe(200);
    expect(await requestOtp(caller, block(4))).toMatchObject(RATE_LIMITED);
  });

  // docs/product.md A4
  test('the limit of a block of numbers does not count test numbers', async () => {
    const opine = await anOpine({ SMS_PER_PREFIX_PER_HOUR: '1' });
    for (const _ of [1, 2, 3])
      expect((await requestOtp(clientOf(opine.url), newPhoneNumber())).status).toBe(200);
  });
});

// docs/product.md A4
test.each([
  ['DE,AT', '+491511234567', 200],
  ['at, de', '+43664123456', 200],
  ['DE', '+43664123456', 422],
  ['CA', '+12025550101', 422],
  ['US', '+12025550101', 200],
])('with SMS_COUNTRIES=%s a code for %s is %i', async (SMS_COUNTRIES, phoneNumber, status) => {
  const opine = await anOpineWithSms({ SMS_COUNTRIES });
  const reply = await requestOtp(clientOf(opine.url), phoneNumber);
  expect(reply.status).toBe(status);
  if (status === 422)
    expect(reply.error.details.issues).toMatchObject([
      { path: ['phoneNumber'], code: 'country_not_supported' },
    ]);
});
