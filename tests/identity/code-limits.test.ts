import { describe, expect, test } from 'vitest';
import { type Client, clientOf, type Extras, type Reply, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aConfirmed, aPhone, aRealPhone } from '../support/people.ts';
import { aTextingOpine, besides, enterCode, requestOtp } from '../support/sign-in.ts';

/** Somebody whose requests a proxy passes on with that `X-Forwarded-For`. */
function behindProxy(url: string, forwardedFor: string): Client {
  const client = clientOf(url);
  const headers = { 'x-forwarded-for': forwardedFor };
  return {
    ...client,
    post: (path, body, extras?: Extras) => client.post(path, body, { ...extras, headers }),
  };
}

const limited = refusal(429, 'RATE_LIMITED');
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);
const ask = (caller: Client) => requestOtp(caller, aPhone());
const guess = (caller: Client) => enterCode(caller, aPhone(), '0000');

/** The limits by address here are of three an hour: then there is one each 20 minutes. */
const AN_HOUR = 3;
const EACH = 1200;

/**
 * Expects `attempt` to be refused now, and just before it is told to come back; lets the time pass until then. Returns
 * how many seconds it was told to wait.
 */
async function comeBackWhenTold(opine: Opine, attempt: () => Promise<Reply>): Promise<number> {
  const refused = await attempt();
  expect(refused).toMatchObject(limited);
  const { retryAfterSeconds } = refused.error.details;
  expect(refused.headers.get('retry-after')).toBe(String(retryAfterSeconds));
  await timePasses(opine, `${retryAfterSeconds - 2} seconds`);
  expect(await attempt()).toMatchObject(limited);
  await timePasses(opine, '2 seconds');
  return retryAfterSeconds;
}

/** Expects `seconds` to be `most`, less what it took to get there. */
function expectAlmost(seconds: number, most: number): void {
  expect(seconds).toBeLessThanOrEqual(most);
  expect(seconds).toBeGreaterThan(most - 15);
}

describe('codes to one phone', () => {
  test('are as many a day as is configured', async () => {
    const opine = await aTextingOpine({ OTP_CODES_PER_PHONE_PER_DAY: '2' });
    const phone = aRealPhone();
    const askAgain = () => requestOtp(clientOf(opine.url), phone);
    const askTwice = async () => {
      for (const _ of [1, 2]) {
        expect((await askAgain()).status).toBe(200);
        await timePasses(opine, '1 minute');
      }
    };
    await askTwice();
    expect((await requestOtp(clientOf(opine.url), aRealPhone())).status).toBe(200);
    expect(await comeBackWhenTold(opine, askAgain)).toBeLessThanOrEqual(86_400 - 120);
    expect((await askAgain()).status).toBe(200);
    await timePasses(opine, '1 day');
    await askTwice();
    expect(await askAgain()).toMatchObject(limited);
  });

  test('are not limited by the day for test numbers', async () => {
    const opine = await anOpine({ OTP_CODES_PER_PHONE_PER_DAY: '1' });
    const phone = aPhone();
    for (const _ of [1, 2, 3]) {
      expect((await requestOtp(clientOf(opine.url), phone)).status).toBe(200);
      await timePasses(opine, '1 minute');
    }
  });

  test('are counted over all servers', async () => {
    const changes = { OTP_CODES_PER_PHONE_PER_DAY: '1' };
    const opine = await aTextingOpine(changes);
    const second = await besides(opine, { ...changes, SMS_PROVIDER: 'console' });
    const phone = aRealPhone();
    expect((await requestOtp(clientOf(opine.url), phone)).status).toBe(200);
    await timePasses(opine, '1 minute');
    expect(await requestOtp(clientOf(second), phone)).toMatchObject(limited);
  });
});

describe.each([
  ['requests', 'OTP_REQUESTS_PER_ADDRESS_PER_HOUR', ask, 200],
  ['tries', 'OTP_TRIES_PER_ADDRESS_PER_HOUR', guess, 400],
] as const)('%s from one address', (_, variable, attempt, usual) => {
  const changes = { TRUSTED_PROXY_COUNT: '1', [variable]: String(AN_HOUR) };
  const attempts = async (caller: Client, times: number) => {
    const replies = [];
    for (const _ of Array(times).keys()) replies.push(await attempt(caller));
    return replies;
  };

  test('are limited also when they come at once', async () => {
    const opine = await anOpine(changes);
    const allAtOnce = async (caller: Client) =>
      statusesOf(await Promise.all(Array.from({ length: AN_HOUR }, () => attempt(caller))));
    for (const host of Array(20).keys()) {
      const caller = behindProxy(opine.url, `203.0.113.${host}`);
      expect(await allAtOnce(caller)).toEqual(Array(AN_HOUR).fill(usual));
      expect(await allAtOnce(caller)).toEqual(Array(AN_HOUR).fill(429));
    }
  });

  test('refill steadily', async () => {
    const opine = await anOpine(changes);
    const caller = behindProxy(opine.url, '203.0.113.7');
    expect(statusesOf(await attempts(caller, AN_HOUR))).toEqual(Array(AN_HOUR).fill(usual));
    expectAlmost(await comeBackWhenTold(opine, () => attempt(caller)), EACH);
    expect((await attempt(caller)).status).toBe(usual);
    expectAlmost(await comeBackWhenTold(opine, () => attempt(caller)), EACH);
    await timePasses(opine, '1 hour');
    expect(statusesOf(await attempts(caller, AN_HOUR))).toEqual(Array(AN_HOUR).fill(usual));
  });

  test('leave other addresses alone', async () => {
    const opine = await anOpine(changes);
    await attempts(behindProxy(opine.url, '203.0.113.7'), AN_HOUR + 1);
    for (const other of ['203.0.113.8', '2001:db8::7']) {
      expect((await attempt(behindProxy(opine.url, other))).status).toBe(usual);
    }
  });

  test('of IPv6 are those of its whole /64', async () => {
    const opine = await anOpine(changes);
    const siblings = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002:0:0:0:3'];
    for (const address of siblings) {
      expect((await attempt(behindProxy(opine.url, address))).status).toBe(usual);
    }
    for (const address of [...siblings, '2001:db8:1:2:3:4:5:6']) {
      expect(await attempt(behindProxy(opine.url, address))).toMatchObject(limited);
    }
    expect((await attempt(behindProxy(opine.url, '2001:db8:1:3::1'))).status).toBe(usual);
  });

  test('of IPv4 are the same when they come as IPv6', async () => {
    const opine = await anOpine(changes);
    await attempts(behindProxy(opine.url, '203.0.113.7'), AN_HOUR);
    expect(await attempt(behindProxy(opine.url, '::ffff:203.0.113.7'))).toMatchObject(limited);
    expect((await attempt(behindProxy(opine.url, '::ffff:203.0.113.8'))).status).toBe(usual);
  });

  test('are not hidden by what a client writes before the proxy', async () => {
    const opine = await anOpine(changes);
    for (const spoofed of ['198.51.100.1', '127.0.0.1', '198.51.100.2, 10.0.0.1']) {
      expect((await attempt(behindProxy(opine.url, `${spoofed}, 203.0.113.7`))).status).toBe(usual);
    }
    for (const spoofed of ['198.51.100.3', '127.0.0.1', '::1', 'unknown', '']) {
      expect(await attempt(behindProxy(opine.url, `${spoofed}, 203.0.113.7`))).toMatchObject(limited);
    }
    // Nor is anybody kept out in whose name another wrote.
    expect((await attempt(behindProxy(opine.url, '198.51.100.1'))).status).toBe(usual);
  });

  test('are counted over all servers', async () => {
    const opine = await anOpine(changes);
    const second = await besides(opine, changes);
    await attempts(behindProxy(opine.url, '203.0.113.7'), AN_HOUR - 1);
    expect((await attempt(behindProxy(second, '203.0.113.7'))).status).toBe(usual);
    for (const url of [opine.url, second]) {
      expect(await attempt(behindProxy(url, '203.0.113.7'))).toMatchObject(limited);
    }
  });

  test('are not limited from loopback', async () => {
    const opine = await anOpine({ ...changes, TRUSTED_PROXY_COUNT: undefined });
    const statuses = statusesOf(await attempts(clientOf(opine.url), AN_HOUR + 3));
    expect(statuses).toEqual(Array(AN_HOUR + 3).fill(usual));
  });
});

test('requests from loopback are limited in production', async () => {
  const opine = await aTextingOpine({
    NODE_ENV: 'production',
    SMS_TEST_NUMBERS: undefined,
    OTP_REQUESTS_PER_ADDRESS_PER_HOUR: '1',
  });
  expect((await requestOtp(clientOf(opine.url), aRealPhone())).status).toBe(200);
  expect(await requestOtp(clientOf(opine.url), aRealPhone())).toMatchObject(limited);
});

test('an address that tried too often is refused with the right code too, and another signs in with it', async () => {
  const opine = await anOpine({ TRUSTED_PROXY_COUNT: '1', OTP_TRIES_PER_ADDRESS_PER_HOUR: '1' });
  const phone = aPhone();
  await requestOtp(behindProxy(opine.url, '203.0.113.7'), phone);
  await guess(behindProxy(opine.url, '203.0.113.7'));
  expect(await enterCode(behindProxy(opine.url, '203.0.113.7'), phone)).toMatchObject(limited);
  expect((await enterCode(behindProxy(opine.url, '203.0.113.8'), phone)).status).toBe(200);
});

test('a code that was used at one server is used up at the other', async () => {
  const opine = await aTextingOpine({});
  const second = await besides(opine, {});
  const phone = aRealPhone();
  await requestOtp(clientOf(opine.url), phone);
  const code = opine.codeSentTo(phone);
  const replies = await Promise.all([opine.url, second].map((url) => enterCode(clientOf(url), phone, code)));
  expect(statusesOf(replies).sort()).toEqual([200, 400]);
});

test('whether a phone has an account shows in no answer', async () => {
  const opine = await anOpine();
  const guest = clientOf(opine.url);
  const known = (await aConfirmed(opine)).phoneNumber;
  const unknown = aPhone();
  await timePasses(opine, '1 minute');
  /** All of an answer that could tell. */
  const tellingPartOf = ({ status, message, data, error, headers }: Reply, phone: string) => {
    const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    const body = JSON.stringify({ message, data, error });
    return [status, shown, body.replace(phone, 'the phone').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, 'a time')];
  };
  const answersTo = async (phone: string) => [
    tellingPartOf(await requestOtp(guest, phone), phone),
    tellingPartOf(await enterCode(guest, phone, '0000'), phone),
    tellingPartOf(await enterCode(guest, phone, '0000'), phone),
    tellingPartOf(await enterCode(guest, phone, '12'), phone),
  ];
  expect(await answersTo(known)).toEqual(await answersTo(unknown));
});
