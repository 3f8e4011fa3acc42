import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/db/paths.ts';
import { localEnvironment } from '../../scripts/local/environment.ts';
import { readConfig } from '../../src/config.ts';
import { PENDING_VOTE_KEY, SIGNING_KEY } from '../support/keys.ts';

const REQUIRED = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgresql://opine_gateway@db.test/opine',
  JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY]),
  HASH_SECRET: 'a secret of tests, long enough to be one',
  PENDING_VOTE_KEY,
  SUPABASE_URL: 'https://project.test',
  SUPABASE_SECRET_KEY: 'a key',
  SMS_PROVIDER: 'console',
};

const DEFAULTS = readConfig(REQUIRED);

// docs/product.md R5
test('each value in .env.example is the default of its variable', () => {
  const example = parseEnv(readFileSync(path.join(ROOT, '.env.example'), 'utf8'));
  expect(readConfig({ ...example, ...REQUIRED })).toEqual(DEFAULTS);
});

test.each([
  // docs/product.md R1, R9, R11
  ['PORT', 8787],
  ['WEB_APP', false],
  ['KEEP_ALIVE_SECONDS', 65],
  ['DATABASE_NAMED_STATEMENTS', true],
  // docs/product.md W23, W27
  ['CORS_ORIGINS', []],
  ['TRUSTED_PROXY_COUNT', 0],
  // docs/product.md W26, I9, I11
  ['NEW_DEVICES_PER_ADDRESS_PER_HOUR', 600],
  ['OTP_CODES_PER_PHONE_PER_DAY', 5],
  ['OTP_REQUESTS_PER_ADDRESS_PER_HOUR', 60],
  ['OTP_TRIES_PER_ADDRESS_PER_HOUR', 60],
  ['OTP_WRONG_TRIES_PER_DAY', 5000],
  ['SMS_TEST_NUMBERS_WAIT', true],
  // docs/product.md A3, A4
  ['CAPTCHA_PROVIDER', undefined],
  ['SMS_COUNTRIES', undefined],
  ['SMS_PER_PREFIX_PER_HOUR', 100],
  // docs/product.md N32, A8, R8
  ['NOTIFICATIONS_KEEP_DAYS', undefined],
  ['VOTE_ACTIVITY_MINIMUM', 1],
  ['VOTE_ACTIVITY_DELAY_SECONDS', { from: 300, to: 1800 }],
] as const)('the variable %s is %j by default', (name, value) => {
  expect(DEFAULTS[name]).toEqual(value);
});

// docs/product.md A1, A2, R7
test('npm start allows a person a hundred times as much, new accounts too, and its phones have the code 4242', () => {
  const parts = { databaseUrl: '', storageUrl: '', pushFile: 'push.jsonl' };
  const secrets = { hashSecret: 'x' } as Parameters<typeof localEnvironment>[0];
  expect(localEnvironment(secrets, parts, {})).toMatchObject({
    LIMITS_FACTOR: '100',
    NEW_ACCOUNT_SHARE: '1',
    SMS_TEST_NUMBERS: '+1202555*=4242',
    SMS_TEST_NUMBERS_WAIT: 'false',
    PUSH_FILE: 'push.jsonl',
  });
});
