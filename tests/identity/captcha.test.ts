import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CAPTCHA_SECRET, captchaRefusal, type FakeCaptcha, startCaptcha } from '../support/captcha.ts';
import { type Reply, refusal } from '../support/client.ts';
import { stopTimeouts } from '../support/clock.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, newPhoneNumber } from '../support/people.ts';
import { eventually } from '../support/streams.ts';

let captcha: FakeCaptcha;
let opine: Opine;
let solutions = 0;
let installs = 0;

beforeAll(async () => {
  captcha = await startCaptcha();
  opine = await startOpine({
    CAPTCHA_PROVIDER: 'turnstile',
    CAPTCHA_SECRET,
    CAPTCHA_SITE_KEY: 'a site key',
    CAPTCHA_URL: captcha.url,
    TRUSTED_PROXY_COUNT: '1',
  });
});

afterAll(async () => {
  await opine.stop();
  await captcha.close();
});

function solved(): string {
  solutions += 1;
  return `solved ${solutions}`;
}

const REQUIRED = refusal(403, 'CAPTCHA_REQUIRED');
const UNAVAILABLE = refusal(503, 'SERVICE_UNAVAILABLE', { retryAfterSeconds: expect.any(Number) });

const REQUESTS: [what: string, (fields: object) => Promise<Reply>][] = [
  [
    'a code',
    (fields) => aGuest(opine).post('/auth/otp/request', { phoneNumber: newPhoneNumber(), ...fields }),
  ],
  [
    'a code to change the number',
    async (fields) =>
      (await confirmedPerson(opine)).post('/users/me/phone/request', {
        phoneNumber: newPhoneNumber(),
        ...fields,
      }),
  ],
  [
    'an anonymous session',
    (fields) => {
      installs += 1;
      return aGuest(opine).post('/auth/anonymous/session', {
        deviceId: `install of a captcha ${installs}`,
        ...fields,
      });
    },
  ],
];

// docs/product.md A3
describe.each(REQUESTS)('a request for %s', (_, request) => {
  afterEach(() => expect(captcha.forms.every(({ secret }) => secret === CAPTCHA_SECRET)).toBe(true));

  test('a solved captcha passes once', async () => {
    const captchaToken = solved();
    expect((await request({ captchaToken })).status).toBe(200);
    expect(await request({ captchaToken })).toMatchObject(REQUIRED);
  });

  test.each([{}, { captchaToken: '' }])(
    'a missing token is refused without asking the provider: %j',
    async (fields) => {
      const asked = captcha.forms.length;
      expect(await request(fields)).toMatchObject(REQUIRED);
      expect(captcha.forms).toHaveLength(asked);
    },
  );

  test('a wrong token is refused', async () => {
    expect(await request({ captchaToken: 'made up' })).toMatchObject(REQUIRED);
  });

  test.each([
    ['no reason', { status: 200, body: '{"success": false}' }],
    ['an empty reason', { status: 200, body: '{"success": false, "error-codes": null}' }],
    ['a reason that we do not know', captchaRefusal('score-below-threshold')],
  ] as const)('a token that the provider refuses with %s is refused', async (_, answer) => {
    captcha.answerNext(answer);
    expect(await request({ captchaToken: solved() })).toMatchObject(REQUIRED);
  });

  test.each([
    ['resets the connection', 'reset'],
    ['breaks off', 'cut'],
    ['answers 500', { status: 500, body: 'Oops' }],
    ['answers no verdict', { status: 200, body: '[]' }],
    ['has an internal error', captchaRefusal('internal-error')],
    ['refuses our secret', captchaRefusal('invalid-input-secret')],
    ['finds our request malformed', captchaRefusal('bad-request')],
    ['blames us and the token', captchaRefusal('invalid-input-response', 'sitekey-secret-mismatch')],
  ] as const)('a provider that %s is 503', async (_, answer) => {
    captcha.answerNext(answer);
    const reply = await request({ captchaToken: solved() });
    expect(reply).toMatchObject(UNAVAILABLE);
    expect(reply.headers.get('retry-after')).toBe('5');
  });

  test.each(['hang', 'stall'] as const)(
    'a provider that does not finish its answer (%s) is 503 after eight seconds',
    async (answer) => {
      captcha.answerNext(answer);
      const asked = captcha.forms.length;
      const passTime = stopTimeouts();
      let status: number | undefined;
      const reply = request({ captchaToken: solved() }).then((received) => {
        status = received.status;
        return received;
      });
      await eventually(() => captcha.forms.length).toBe(asked + 1);
      passTime(7_900);
      expect((await aGuest(opine).get('/auth/login-config')).status).toBe(200);
      expect(status).toBeUndefined();
      passTime(100);
      expect(await reply).toMatchObject(UNAVAILABLE);
    },
  );
});

test('the provider gets the token and the address of the client', async () => {
  const captchaToken = solved();
  const body = JSON.stringify({ phoneNumber: newPhoneNumber(), captchaToken });
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' };
  expect((await aGuest(opine).send('POST', '/auth/otp/request', body, { headers })).status).toBe(200);
  expect(captcha.forms.at(-1)).toEqual({
    secret: CAPTCHA_SECRET,
    response: captchaToken,
    remoteip: '203.0.113.7',
  });
});

test('a refused captcha uses up no code of the phone', async () => {
  const phoneNumber = newPhoneNumber();
  expect(await aGuest(opine).post('/auth/otp/request', { phoneNumber })).toMatchObject(REQUIRED);
  const reply = await aGuest(opine).post('/auth/otp/request', { phoneNumber, captchaToken: solved() });
  expect(reply.status).toBe(200);
});

// docs/product.md A3
test('the login configuration names the captcha, and never its secret', async () => {
  const { data } = await aGuest(opine).get('/auth/login-config');
  expect(data.captcha).toEqual({ provider: 'turnstile', siteKey: 'a site key' });
  expect(JSON.stringify(data)).not.toContain(CAPTCHA_SECRET);
});

test('without a captcha the login configuration has none, and a token is ignored', async () => {
  const open = await anOpine();
  const guest = aGuest(open);
  expect((await guest.get('/auth/login-config')).data.captcha).toBeNull();
  const fields = { phoneNumber: newPhoneNumber(), captchaToken: 'made up' };
  expect((await guest.post('/auth/otp/request', fields)).status).toBe(200);
});
