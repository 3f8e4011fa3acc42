import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '../support/client.ts';
import { timeIn, timePasses } from '../support/clock.ts';
import { aGuest, aPhone, aRealPhone } from '../support/people.ts';
import type { Reply } from '../support/reply.ts';
import {
  enterCode,
  otherThan,
  requestOtp,
  startTextingOpine,
  type TextingOpine,
} from '../support/sign-in.ts';

let opine: TextingOpine;

beforeAll(async () => {
  opine = await startTextingOpine();
});

afterAll(() => opine.stop());

const ask = (phoneNumber: string) => requestOtp(aGuest(opine), phoneNumber);
const enter = (phoneNumber: string, code: string) => enterCode(aGuest(opine), phoneNumber, code);
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);

describe('a code', () => {
  test('comes as a text message to the phone, and signs it in', async () => {
    const phone = aRealPhone();
    await ask(phone.replace('+49151', '+49 (151) '));
    const code = opine.codeSentTo(phone);
    expect(code).toMatch(/^\d{4}$/);
    expect(await enter(phone, code)).toMatchObject({ status: 200, data: { isNewUser: true } });
  });

  test('is not the same for everybody', async () => {
    const phones = [1, 2, 3, 4, 5, 6].map(aRealPhone);
    await Promise.all(phones.map(ask));
    expect(new Set(phones.map((phone) => opine.codeSentTo(phone))).size).toBeGreaterThan(1);
  });

  test('and its phone are not stored as they are', async () => {
    const phone = aRealPhone();
    await ask(phone);
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

  test('is good for one sign-in', async () => {
    const phone = aRealPhone();
    await ask(phone);
    await enter(phone, opine.codeSentTo(phone));
    expect((await enter(phone, opine.codeSentTo(phone))).status).toBe(400);
  });

  test('entered ten times at once signs in once', async () => {
    const phone = aRealPhone();
    await ask(phone);
    const code = opine.codeSentTo(phone);
    const statuses = statusesOf(await Promise.all(Array.from({ length: 10 }, () => enter(phone, code))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 429)).toEqual([]);
  });

  test('is of one phone only', async () => {
    const [one, other] = [aRealPhone(), aRealPhone()];
    do {
      await timePasses(opine, '1 day');
      await Promise.all([ask(one), ask(other)]);
    } while (opine.codeSentTo(one) === opine.codeSentTo(other));
    expect(await enter(one, opine.codeSentTo(other))).toMatchObject(refusal(400, 'OTP_INVALID'));
  });

  test('gives way to the next one', async () => {
    const phone = aRealPhone();
    await ask(phone);
    const first = opine.codeSentTo(phone);
    do {
      await timePasses(opine, '1 day');
      await ask(phone);
    } while (opine.codeSentTo(phone) === first);
    expect(await enter(phone, first)).toMatchObject(refusal(400, 'OTP_INVALID'));
    expect((await enter(phone, opine.codeSentTo(phone))).status).toBe(200);
  });

  test('lives five minutes', async () => {
    const [early, late] = [aRealPhone(), aRealPhone()];
    await Promise.all([ask(early), ask(late)]);
    await timePasses(opine, '4 minutes 30 seconds');
    expect((await enter(early, opine.codeSentTo(early))).status).toBe(200);
    await timePasses(opine, '30 seconds');
    expect(await enter(late, opine.codeSentTo(late))).toMatchObject(refusal(400, 'OTP_EXPIRED'));
  });
});

describe('wrong codes', () => {
  test('two are told so; the third ends the code, and then even the right one is refused', async () => {
    const phone = aRealPhone();
    await ask(phone);
    const code = opine.codeSentTo(phone);
    for (const _ of [1, 2]) {
      expect(await enter(phone, otherThan(code))).toMatchObject(refusal(400, 'OTP_INVALID'));
    }
    for (const tried of [otherThan(code), code, otherThan(code), code]) {
      expect(await enter(phone, tried)).toMatchObject(refusal(429, 'RATE_LIMITED'));
    }
    await timePasses(opine, '1 minute');
    await ask(phone);
    expect((await enter(phone, opine.codeSentTo(phone))).status).toBe(200);
  });

  test('two do not keep the right one out', async () => {
    const phone = aRealPhone();
    await ask(phone);
    const code = opine.codeSentTo(phone);
    await enter(phone, otherThan(code));
    await enter(phone, otherThan(code));
    expect((await enter(phone, code)).status).toBe(200);
  });

  test('are counted when they come all at once', async () => {
    const phone = aRealPhone();
    await ask(phone);
    const code = opine.codeSentTo(phone);
    const statuses = statusesOf(
      await Promise.all(Array.from({ length: 12 }, () => enter(phone, otherThan(code)))),
    );
    expect(statuses.filter((status) => status === 400)).toHaveLength(2);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect((await enter(phone, code)).status).toBe(429);
  });
});

describe('asking again', () => {
  test('within a minute is refused, and told for how long', async () => {
    const phone = aRealPhone();
    const { data } = await ask(phone);
    const mayAskAt = Date.parse(data.expiresAt) - 240_000;
    for (const wait of ['0 seconds', '20 seconds', '30 seconds']) {
      await timePasses(opine, wait);
      const before = await timeIn(opine);
      const again = await ask(phone);
      const after = await timeIn(opine);
      expect(again).toMatchObject(refusal(429, 'RATE_LIMITED'));
      const { retryAfterSeconds } = again.error.details;
      expect(again.headers.get('retry-after')).toBe(String(retryAfterSeconds));
      expect(retryAfterSeconds).toBeLessThanOrEqual(Math.ceil((mayAskAt - before.getTime()) / 1000));
      expect(retryAfterSeconds).toBeGreaterThanOrEqual(Math.ceil((mayAskAt - after.getTime()) / 1000));
    }
    const { length } = opine.twilio.requests;
    await timePasses(opine, '10 seconds');
    expect((await ask(phone)).status).toBe(200);
    expect(opine.twilio.requests).toHaveLength(length + 1);
  });

  test('at once sends one message', async () => {
    const phone = aRealPhone();
    const statuses = statusesOf(await Promise.all(Array.from({ length: 8 }, () => ask(phone))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect(opine.twilio.requests.filter(({ form }) => form.To === phone)).toHaveLength(1);
  });

  test('gives five codes a day', async () => {
    const phone = aRealPhone();
    for (const _ of [1, 2, 3, 4, 5]) {
      expect((await ask(phone)).status).toBe(200);
      await timePasses(opine, '1 minute');
    }
    const sixth = await ask(phone);
    expect(sixth).toMatchObject(refusal(429, 'RATE_LIMITED'));
    const { retryAfterSeconds } = sixth.error.details;
    expect(retryAfterSeconds).toBeGreaterThan(86_400 - 300 - 60);
    expect(retryAfterSeconds).toBeLessThanOrEqual(86_400 - 300);
    await timePasses(opine, `${retryAfterSeconds} seconds`);
    expect((await ask(phone)).status).toBe(200);
  });

  test('more often is for test numbers', async () => {
    const phone = aPhone();
    for (const _ of [1, 2, 3, 4, 5, 6, 7]) {
      expect((await ask(phone)).status).toBe(200);
      await timePasses(opine, '1 minute');
    }
  });
});

describe('without Twilio', () => {
  // As long as one message is tried.
  const takeDown = () => opine.twilio.answerNext({ status: 500 }, { status: 500 }, { status: 500 });

  test('nobody gets a code, and is told to come back', async () => {
    takeDown();
    expect(await ask(aRealPhone())).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
  });

  test('who comes back when told gets a code', async () => {
    const phone = aRealPhone();
    takeDown();
    const { headers } = await ask(phone);
    await timePasses(opine, `${headers.get('retry-after')} seconds`);
    const { requests } = opine.twilio;
    const { length } = requests;
    expect((await ask(phone)).status).toBe(200);
    expect(requests.length).toBeGreaterThan(length);
  });
});
