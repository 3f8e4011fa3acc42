import { describe, expect, test } from 'vitest';
import { configuredLimits, type Environment, readConfig } from '../../src/config.ts';
import { PENDING_VOTE_KEY, SIGNING_KEY } from '../support/keys.ts';

const read = (changes: Environment) =>
  readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgresql://opine_gateway@db.test/opine',
    JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY]),
    HASH_SECRET: 'a secret of tests, long enough to be one',
    PENDING_VOTE_KEY,
    SUPABASE_URL: 'https://project.test',
    SUPABASE_SECRET_KEY: 'a key',
    SMS_PROVIDER: 'console',
    ...changes,
  });

const FINGERPRINT = Array(32).fill('A1').join(':');

const { x, y } = SIGNING_KEY;
const key = (changes: object) => JSON.stringify([{ ...SIGNING_KEY, ...changes }]);

/** Each variable, with values that are taken and values just beside them that are not. */
const VALUES: readonly (readonly [name: string, taken: readonly string[], refused: readonly string[]])[] = [
  ['PROCESS', ['all', 'api', 'worker'], ['API', 'none']],
  ['PORT', ['0', '65535'], ['65536', '-1', '1.5', '0x50', ' 80']],
  ['METRICS_PORT', ['0', '65535'], ['65536', '-1']],
  ['KEEP_ALIVE_SECONDS', ['1', '3600'], ['0', '3601']],
  ['LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], ['all', 'INFO']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://127.0.0.1:4318'], ['127.0.0.1:4318', 'grpc://127.0.0.1:4317']],
  [
    'DATABASE_URL',
    ['postgresql://opine_gateway@db.test/opine', 'postgres://opine_gateway.project:p@db.test:6543/postgres'],
    [
      'mysql://opine_gateway@db.test/opine',
      'postgresql://postgres@db.test/opine',
      'postgresql://opine_gateway2@db.test/o',
    ],
  ],
  [
    'DATABASE_LISTEN_URL',
    ['postgresql://opine_gateway@db.test/opine'],
    ['postgresql://postgres@db.test/opine'],
  ],
  ['DATABASE_POOL_SIZE', ['1', '200'], ['0', '201']],
  ['DATABASE_NAMED_STATEMENTS', ['true', 'false'], ['yes', '1', 'TRUE']],
  [
    'JWT_SIGNING_KEYS',
    [
      key({}),
      key({ x: Buffer.concat([Buffer.alloc(1), Buffer.from(x ?? '', 'base64')]).toString('base64url') }),
    ],
    ['[]', key({ kid: undefined }), key({ crv: 'P-384' }), key({ kty: 'RSA' }), JSON.stringify({ x, y })],
  ],
  ['HASH_SECRET', ['x'.repeat(32)], ['x'.repeat(31)]],
  [
    'PENDING_VOTE_KEY',
    [PENDING_VOTE_KEY, `${PENDING_VOTE_KEY}, ${PENDING_VOTE_KEY}`],
    [PENDING_VOTE_KEY.slice(4), `${PENDING_VOTE_KEY},`, `A${PENDING_VOTE_KEY}`],
  ],
  ['SUPABASE_URL', ['http://kong:8000', 'https://project.test'], ['project.test', 'ftp://project.test']],
  [
    'CORS_ORIGINS',
    ['https://app.test', 'https://app.test, http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'],
    ['https://app.test/', 'app.test', '*', 'https://*.app.test', 'https://app.test:*', 'https://app.test,'],
  ],
  ['TRUSTED_PROXY_COUNT', ['0', '10'], ['-1', '11']],
  [
    'STAFF_ALLOWED_EMAILS',
    ['a@staff.test', 'a@staff.test, b@staff.test'],
    ['a', 'a@staff.test; b@staff.test'],
  ],
  ['NEW_DEVICES_PER_ADDRESS_PER_HOUR', ['1', '1000000'], ['0', '1000001']],
  ['OTP_CODES_PER_PHONE_PER_DAY', ['1', '1000'], ['0', '1001']],
  ['OTP_REQUESTS_PER_ADDRESS_PER_HOUR', ['1', '1000000'], ['0', '1000001']],
  ['OTP_TRIES_PER_ADDRESS_PER_HOUR', ['1', '1000000'], ['0', '1000001']],
  ['OTP_WRONG_TRIES_PER_DAY', ['1', '100000000'], ['0', '100000001']],
  ['LIMIT_POSTS_PER_HOUR', ['1', '999999999'], ['0', '1000000000', '1.5']],
  ['LIMITS_FACTOR', ['1', '1000000'], ['0', '1000001', '1.5']],
  ['NEW_ACCOUNT_SHARE', ['0.000001', '0.25', '1', '1.0'], ['0', '0.0', '1.1', '.5', '0.0000001']],
  ['CAPTCHA_URL', ['https://captcha.test/verify'], ['captcha.test']],
  ['SMS_COUNTRIES', ['DE', 'de, AT'], ['XX', 'DE;AT', 'Germany']],
  ['SMS_PER_PREFIX_PER_HOUR', ['1', '1000000'], ['0', '1000001']],
  ['SMS_PROVIDER', ['console'], ['sms', 'Console']],
  [
    'SMS_TEST_NUMBERS',
    ['+1202555*=4242', '+12025550123=1234,+1202555*=4242'],
    ['+1202555*', '1202555*=4242'],
  ],
  ['FIREBASE_SERVICE_ACCOUNT', [], ['{}', 'x']],
  ['PUSH_ADDRESS', ['127.0.0.1:8443', 'push.test:1'], ['127.0.0.1', 'https://push.test:1']],
  ['PUSH_SECRET', ['x'.repeat(32)], ['x'.repeat(31), `${'x'.repeat(16)} ${'x'.repeat(16)}`]],
  ['NOTIFICATIONS_KEEP_DAYS', ['1', '3650'], ['0', '3651']],
  ['VOTE_ACTIVITY_DELAY_SECONDS', ['0-0', '300-1800', '0-86400'], ['1800-300', '0-86401', '300', '-1-3']],
  ['VOTE_ACTIVITY_MINIMUM', ['1', '1000000'], ['0', '1000001']],
  ['APP_URL', ['https://app.test'], ['app.test']],
  ['TERMS_VERSION', ['1', 'x'.repeat(40)], ['x'.repeat(41)]],
  ['IOS_APPS', ['A1B2C3D4E5.example.opine, A1B2C3D4E5.example.beta'], ['example.opine', 'A1B2C3D4E5']],
  [
    'ANDROID_APPS',
    [`example.opine=${FINGERPRINT}, example.beta=${FINGERPRINT.toLowerCase()}`],
    ['example.opine', `opine=${FINGERPRINT}`, `example.opine=${FINGERPRINT}:00`],
  ],
  ['WEB_APP', ['true', 'false'], ['on']],
  ['PUSH_LOC_KEYS', ['true', 'false'], ['on']],
];

// docs/product.md R5
describe.each(VALUES)('%s', (name, taken, refused) => {
  test('is taken up to its bounds', () => {
    for (const value of taken) expect(() => read({ [name]: value }), value).not.toThrow();
  });

  test('beyond its bounds is refused by an error that names it without its value', () => {
    for (const value of refused) {
      expect(() => read({ [name]: value }), value).toThrow(
        new RegExp(`^Wrong configuration: ${name}(\\.\\d+)* must .*\\.$`),
      );
    }
  });
});

// docs/product.md R5
test.each([
  [
    { SMS_PROVIDER: 'twilio' },
    'SMS_TWILIO_ACCOUNT_SID is missing; SMS_TWILIO_AUTH_TOKEN is missing; SMS_TWILIO_FROM or SMS_TWILIO_MESSAGING_SERVICE_SID must be given, not both',
  ],
  [{ IDP_AUDIENCE: 'an app' }, 'IDP_ISSUER is missing'],
  [{ CAPTCHA_PROVIDER: 'turnstile' }, 'CAPTCHA_SECRET is missing; CAPTCHA_SITE_KEY is missing'],
  [{ STAFF_IDP_CLIENT_ID: 'staff' }, 'STAFF_ALLOWED_DOMAIN is missing'],
  [{ STAFF_ALLOWED_DOMAIN: 'staff.test' }, 'STAFF_IDP_CLIENT_ID is missing'],
])('of variables that belong together, %j is refused: %s', (changes, message) => {
  expect(() => read(changes)).toThrow(`Wrong configuration: ${message}.`);
});

test('lists lose spaces, and e-mails, domains and countries have one spelling', () => {
  expect(
    read({
      STAFF_ALLOWED_EMAILS: 'Ada@Staff.test , bo@staff.test,',
      STAFF_IDP_CLIENT_ID: 'staff',
      STAFF_ALLOWED_DOMAIN: 'Staff.Test',
      SMS_COUNTRIES: 'de , at',
      CORS_ORIGINS: 'https://a.test , https://b.test',
    }),
  ).toMatchObject({
    STAFF_ALLOWED_EMAILS: ['ada@staff.test', 'bo@staff.test'],
    STAFF_ALLOWED_DOMAIN: 'staff.test',
    SMS_COUNTRIES: ['DE', 'AT'],
    CORS_ORIGINS: ['https://a.test', 'https://b.test'],
  });
});

test('the URLs for listening and for clients are those of the service unless they are given', () => {
  const DATABASE_LISTEN_URL = 'postgresql://opine_gateway@direct.test/opine';
  expect(read({})).toMatchObject({
    DATABASE_LISTEN_URL: 'postgresql://opine_gateway@db.test/opine',
    PUBLIC_SUPABASE_URL: 'https://project.test',
  });
  expect(read({ DATABASE_LISTEN_URL, PUBLIC_SUPABASE_URL: 'https://public.test' })).toMatchObject({
    DATABASE_LISTEN_URL,
    PUBLIC_SUPABASE_URL: 'https://public.test',
  });
});

// docs/product.md A1
test('each limit of a person has its variable, and without one Postgres has the defaults', () => {
  const limits = {
    LIMIT_POSTS_PER_HOUR: '1',
    LIMIT_COMMENTS_PER_HOUR: '2',
    LIMIT_FOLLOWS_PER_HOUR: '3',
    LIMIT_SHARES_PER_HOUR: '4',
    LIMIT_HUBS_PER_DAY: '5',
    LIMIT_REPORTS_PER_DAY: '6',
    LIMIT_VOTES_PER_HOUR: '7',
    LIMIT_SEARCHES_PER_HOUR: '8',
    LIMIT_JOIN_REQUESTS_PER_DAY: '9',
    LIMIT_ROLE_CHANGES_PER_HOUR: '10',
    LIMITS_FACTOR: '11',
    NEW_ACCOUNT_SHARE: '0.5',
  };
  expect(configuredLimits(read(limits))).toEqual({
    posts: 1,
    comments: 2,
    follows: 3,
    shares: 4,
    hubs: 5,
    reports: 6,
    votes: 7,
    searches: 8,
    joinRequests: 9,
    roleChanges: 10,
    factor: 11,
    newAccountShare: 0.5,
  });
  expect(configuredLimits(read({}))).toBeNull();
  expect(configuredLimits(read({ NEW_ACCOUNT_SHARE: '0.5' }))).toEqual({ newAccountShare: 0.5 });
});
