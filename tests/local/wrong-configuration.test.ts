import { expect, test } from 'vitest';
import { DEVELOPMENT_KEY } from '../../scripts/local/dev-stack.ts';
import { ConfigError, type Environment, readConfig } from '../../src/config.ts';
import { PENDING_VOTE_KEY, SIGNING_KEY } from '../support/keys.ts';

test('the configuration error names every wrong variable in one line, invalid values and combinations alike', () => {
  const read = () =>
    readConfig({
      NODE_ENV: 'production',
      PORT: 'abc',
      DATABASE_URL: 'nope',
      DATABASE_REPLICA_URLS: 'postgresql://opine_gateway@replica/opine, postgresql://somebody@replica/opine',
      JWT_SIGNING_KEYS: '[',
      HASH_SECRET: 'short',
      SUPABASE_URL: 'nope',
      SUPABASE_SECRET_KEY: 'a key',
      SMS_PROVIDER: 'console',
      SMS_TEST_NUMBERS: '+1202555*=4242',
      IDP_ISSUER: 'https://idp.example',
    });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(
    'Wrong configuration: PORT must be a whole number from 0 to 65535; ' +
      'DATABASE_URL must be a postgresql:// URL; DATABASE_REPLICA_URLS.1 must log in as opine_gateway; ' +
      'JWT_SIGNING_KEYS must be a JSON array of ES256 keys (JWK), each with its kid; ' +
      'HASH_SECRET must have at least 32 characters; SUPABASE_URL must be an http or https URL; ' +
      'PENDING_VOTE_KEY is missing; IDP_AUDIENCE is missing; ' +
      'SMS_PROVIDER must not be console in production; SMS_TEST_NUMBERS must not be set in production; ' +
      'APP_URL is missing; APP_LOGO_URL is missing; TERMS_URL is missing; PRIVACY_URL is missing.',
  );
});

const PUBLIC = {
  APP_URL: 'https://app.test',
  APP_LOGO_URL: 'https://app.test/logo.png',
  TERMS_URL: 'https://app.test/terms',
  PRIVACY_URL: 'https://app.test/privacy',
};

const production = (changes: Environment) => () =>
  readConfig({
    NODE_ENV: 'production',
    DATABASE_URL: 'postgresql://opine_gateway@db.test/opine',
    JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY]),
    HASH_SECRET: 'a secret of tests, long enough to be one',
    PENDING_VOTE_KEY,
    SUPABASE_URL: 'https://project.test',
    SUPABASE_SECRET_KEY: 'a key',
    SMS_PROVIDER: 'twilio',
    SMS_TWILIO_ACCOUNT_SID: 'AC0',
    SMS_TWILIO_AUTH_TOKEN: 'a token of tests',
    SMS_TWILIO_FROM: '+12025550100',
    ...PUBLIC,
    ...changes,
  });

test.each(Object.keys(PUBLIC))(
  'a start in production without %s fails, and the error names only this variable',
  (name) => {
    expect(production({})).not.toThrow();
    for (const missing of [undefined, '']) {
      expect(production({ [name]: missing })).toThrow(
        new ConfigError(`Wrong configuration: ${name} is missing.`),
      );
    }
    expect(production({ NODE_ENV: 'development', [name]: undefined })).not.toThrow();
  },
);

test('a start in production with the development key of the Supabase CLI anywhere in the list fails', () => {
  const keys = { JWT_SIGNING_KEYS: JSON.stringify([SIGNING_KEY, { ...DEVELOPMENT_KEY, kid: 'another' }]) };
  expect(production(keys)).toThrow(
    new ConfigError(
      'Wrong configuration: JWT_SIGNING_KEYS must not hold the development key of the Supabase CLI in production.',
    ),
  );
  expect(production({ ...keys, NODE_ENV: 'development' })).not.toThrow();
});
