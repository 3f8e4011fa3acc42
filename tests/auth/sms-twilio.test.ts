import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTwilioSender } from '../../src/auth/sms.ts';
import { ApiError } from '../../src/contract/errors.ts';
import type { FakeAnswer } from '../support/loopback.ts';
import { type FakeTwilio, refusal, startTwilio, TWILIO_ACCOUNT } from '../support/twilio.ts';

const MESSAGE = { to: '+4915112345678', text: 'Dein Code: 4242 & mehr = gut 👍' };
const BUSY: FakeAnswer = { status: 503 };

let twilio: FakeTwilio;

beforeEach(async () => {
  twilio = await startTwilio();
});

afterEach(() => twilio.close());

const send = (options: { timeoutMs?: number; authToken?: string } = {}) =>
  createTwilioSender({ ...TWILIO_ACCOUNT, baseUrl: twilio.url, from: '+15005550006', ...options }).send(
    MESSAGE,
  );

/** Returns the error of a failed send, and expects it to contain no secret. */
async function failure(sending: Promise<void>): Promise<ApiError> {
  const error = await sending.then(
    () => expect.fail('it was sent'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw error;
  const shown = inspect(error, { depth: 10, showHidden: true });
  const { accountSid, authToken } = TWILIO_ACCOUNT;
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  for (const secret of [MESSAGE.to, MESSAGE.to.slice(1), '4242', authToken, credentials]) {
    expect(shown).not.toContain(secret);
  }
  return error;
}

describe('the Twilio sender', () => {
  test('a message is sent as one form to the Messages resource of the account', async () => {
    await send();
    const [request] = twilio.requests;
    expect(twilio.requests).toHaveLength(1);
    expect(request).toMatchObject({
      method: 'POST',
      path: `/2010-04-01/Accounts/${TWILIO_ACCOUNT.accountSid}/Messages.json`,
      form: { To: MESSAGE.to, From: '+15005550006', Body: MESSAGE.text },
    });
    expect(request?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    const [scheme, credentials = ''] = request?.headers.authorization?.split(' ') ?? [];
    expect(scheme).toBe('Basic');
    expect(atob(credentials)).toBe(`${TWILIO_ACCOUNT.accountSid}:${TWILIO_ACCOUNT.authToken}`);
  });

  test('a message can be sent from a messaging service', async () => {
    const account = { ...TWILIO_ACCOUNT, baseUrl: twilio.url };
    await createTwilioSender({ ...account, messagingServiceSid: 'MG1' }).send(MESSAGE);
    expect(twilio.requests[0]?.form).toEqual({
      To: MESSAGE.to,
      MessagingServiceSid: 'MG1',
      Body: MESSAGE.text,
    });
  });

  test.for<[string, FakeAnswer]>([
    ['that is not JSON', { status: 201, body: '<html>' }],
    ['that is empty', { status: 200 }],
    ['that breaks off', 'cut'],
  ])('an accepted message is not sent again after a response %s', async ([, answer]) => {
    twilio.answerNext(answer);
    await send();
    expect(twilio.requests).toHaveLength(1);
  });
});

describe('a transient failure', () => {
  test.for<[string, FakeAnswer]>([
    ['429', refusal(429, 20429)],
    ['500', { status: 500, body: 'oops' }],
    ['503', BUSY],
    ['a connection reset', 'reset'],
  ])('the sender retries after %s', async ([, answer]) => {
    twilio.answerNext(answer);
    await send();
    expect(twilio.requests).toHaveLength(2);
    const [first, second] = twilio.requests;
    expect(second?.form).toEqual(first?.form);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(140);
  });

  test('the sender retries after a timeout', async () => {
    twilio.answerNext('hang');
    await send({ timeoutMs: 2_000 });
    expect(twilio.requests).toHaveLength(2);
  });

  test('the sender waits for the Retry-After of Twilio', async () => {
    twilio.answerNext({ status: 429, headers: { 'retry-after': '1' } });
    await send();
    const [first, second] = twilio.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990);
  });

  test('the sender fails with SERVICE_UNAVAILABLE after three responses of 503', async () => {
    twilio.answerNext(BUSY, BUSY, BUSY);
    const error = await failure(send());
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { retryAfterSeconds: 5 } });
    expect(inspect(error.cause)).toContain('status 503');
    expect(twilio.requests).toHaveLength(3);
  });

  test('the sender fails with SERVICE_UNAVAILABLE after three connection resets', async () => {
    twilio.answerNext('reset', 'reset', 'reset');
    const error = await failure(send());
    expect(error.code).toBe('SERVICE_UNAVAILABLE');
    expect(inspect(error.cause)).toContain('no answer');
    expect(twilio.requests).toHaveLength(3);
  });

  test('the sender stops retrying at its timeout', async () => {
    twilio.answerNext('hang', 'hang', 'hang');
    const start = performance.now();
    expect(await failure(send({ timeoutMs: 300 }))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test.for<[string, number]>([
    ['30', 30],
    ['29.2', 30],
    ['Tue, 01 Jan 2999 00:00:00 GMT', 3_600],
    ['1e999', 3_600],
  ])('the sender does not retry if Retry-After is beyond its timeout: %s', async ([retryAfter, seconds]) => {
    twilio.answerNext({ status: 429, headers: { 'retry-after': retryAfter } });
    expect(await failure(send())).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      details: { retryAfterSeconds: seconds },
    });
    expect(twilio.requests).toHaveLength(1);
  });

  test('a Retry-After that is past asks the client to wait for five seconds', async () => {
    const past: FakeAnswer = { status: 429, headers: { 'retry-after': '-7' } };
    twilio.answerNext(past, past, past);
    expect(await failure(send())).toMatchObject({ details: { retryAfterSeconds: 5 } });
  });

  test.for(['soon', '-5', '', 'Sat, 01 Jan 2000 00:00:00 GMT'])(
    'the sender retries soon if Retry-After is invalid or past: %j',
    async (retryAfter) => {
      twilio.answerNext({ status: 429, headers: { 'retry-after': retryAfter } });
      await send();
      expect(twilio.requests).toHaveLength(2);
    },
  );
});

describe('an unreachable phone', () => {
  test.for([21211, 21265, 21408, 21610, 21612, 21614, 21635])(
    'the Twilio error %i becomes VALIDATION_FAILED on phoneNumber',
    async (code) => {
      twilio.answerNext(refusal(400, code, MESSAGE.to));
      const error = await failure(send());
      expect(error.code).toBe('VALIDATION_FAILED');
      expect(error.details).toEqual({
        issues: [{ path: ['phoneNumber'], code: 'unreachable', message: expect.any(String) }],
      });
      expect(inspect(error.cause)).toContain(String(code));
      expect(twilio.requests).toHaveLength(1);
    },
  );
});

describe('a permanent failure', () => {
  test('invalid credentials fail with SERVICE_UNAVAILABLE without a retry', async () => {
    const error = await failure(send({ authToken: 'stale' }));
    expect(error.code).toBe('SERVICE_UNAVAILABLE');
    expect(inspect(error.cause)).toContain('status 401, code 20003');
    expect(twilio.requests).toHaveLength(1);
  });

  test.for<[string, FakeAnswer]>([
    ['a foreign sender', refusal(400, 21606)],
    ['a refusal without a code', { status: 400, body: 'null' }],
    ['a refusal that is not JSON', { status: 400, body: '<html>' }],
    ['a deleted account', refusal(404, 20404)],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }],
  ])('%s fails with SERVICE_UNAVAILABLE without a retry', async ([, answer]) => {
    twilio.answerNext(answer);
    expect(await failure(send())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(twilio.requests).toHaveLength(1);
  });
});
