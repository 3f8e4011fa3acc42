import { describe, expect, test } from 'vitest';
import { clientOf, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aPhone, aRealPhone } from '../support/people.ts';
import { aTextingOpine, besides, enterCode, otherThan, requestOtp } from '../support/sign-in.ts';

const limited = refusal(429, 'RATE_LIMITED');

describe('wrong tries of the whole service', () => {
  const changes = { OTP_WRONG_TRIES_PER_DAY: '4' };

  async function withFourWrongTries() {
    const opine = await aTextingOpine(changes);
    const askFor = async (phone: string, caller = clientOf(opine.url)) => {
      expect((await requestOtp(caller, phone)).status).toBe(200);
      return opine.codeSentTo(phone);
    };
    for (const phone of [aRealPhone(), aRealPhone()]) {
      const wrong = otherThan(await askFor(phone));
      for (const _ of [1, 2]) expect((await enterCode(clientOf(opine.url), phone, wrong)).status).toBe(400);
    }
    return { opine, askFor };
  }

  test('end all tries for real phones until time has passed', async () => {
    const { opine, askFor } = await withFourWrongTries();
    const phone = aRealPhone();
    const code = await askFor(phone);
    const refused = await enterCode(clientOf(opine.url), phone, code);
    expect(refused).toMatchObject(limited);
    const { retryAfterSeconds } = refused.error.details;
    expect(retryAfterSeconds).toBeLessThanOrEqual(21_600);
    expect(retryAfterSeconds).toBeGreaterThan(21_600 - 15);
    // The code would have died by then.
    await timePasses(opine, `${retryAfterSeconds - 122} seconds`);
    const later = await askFor(phone);
    await timePasses(opine, '2 minutes');
    expect(await enterCode(clientOf(opine.url), phone, later)).toMatchObject(limited);
    await timePasses(opine, '2 seconds');
    expect((await enterCode(clientOf(opine.url), phone, later)).status).toBe(200);
  });

  test('keep no test number out, and those of test numbers do not count', async () => {
    const { opine } = await withFourWrongTries();
    const phone = aPhone();
    await requestOtp(clientOf(opine.url), phone);
    expect((await enterCode(clientOf(opine.url), phone, '0000')).status).toBe(400);
    expect((await enterCode(clientOf(opine.url), phone)).status).toBe(200);

    const other = await aTextingOpine(changes);
    for (const _ of Array(6).keys()) {
      const tested = aPhone();
      await requestOtp(clientOf(other.url), tested);
      expect((await enterCode(clientOf(other.url), tested, '0000')).status).toBe(400);
    }
    const real = aRealPhone();
    await requestOtp(clientOf(other.url), real);
    expect((await enterCode(clientOf(other.url), real, other.codeSentTo(real))).status).toBe(200);
  });

  test('do not count right ones', async () => {
    const opine = await aTextingOpine(changes);
    for (const phone of Array.from({ length: 6 }, aRealPhone)) {
      await requestOtp(clientOf(opine.url), phone);
      expect((await enterCode(clientOf(opine.url), phone, opine.codeSentTo(phone))).status).toBe(200);
    }
  });

  test('are counted when they come at once, over all servers', async () => {
    const opine = await aTextingOpine(changes);
    const second = await besides(opine, { ...changes, SMS_PROVIDER: 'console' });
    const phones = Array.from({ length: 10 }, aRealPhone);
    for (const phone of phones) await requestOtp(clientOf(opine.url), phone);
    const replies = await Promise.all(
      phones.map((phone, index) =>
        enterCode(clientOf(index % 2 === 0 ? opine.url : second), phone, otherThan(opine.codeSentTo(phone))),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(4).fill(400),
      ...Array(6).fill(429),
    ]);
  });
});
