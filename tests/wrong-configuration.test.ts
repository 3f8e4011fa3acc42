import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

test('every wrong variable is named in one line, what does not go together beside what is no value', () => {
  const read = () =>
    readConfig({
      NODE_ENV: 'production',
      PORT: 'abc',
      DATABASE_URL: 'nope',
      DATABASE_REPLICA_URL: 'postgresql://somebody@replica/opine',
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
      'DATABASE_URL must be a postgresql:// URL; DATABASE_REPLICA_URL must log in as opine_gateway; ' +
      'JWT_SIGNING_KEYS must be a JSON array of ES256 keys (JWK), each with its kid; ' +
      'HASH_SECRET must have at least 32 characters; SUPABASE_URL must be an http or https URL; ' +
      'PENDING_VOTE_KEY is missing; IDP_AUDIENCE is missing; ' +
      'SMS_PROVIDER must not be console in production; SMS_TEST_NUMBERS must not be set in production.',
  );
});
