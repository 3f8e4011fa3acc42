import { Buffer } from 'node:buffer';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, test } from 'vitest';
import { DEVELOPMENT_KEY } from '../../scripts/local/dev-stack.ts';
import { runTool } from '../../scripts/tools.ts';
import { importSigningKeys } from '../../src/auth/signing-keys.ts';
import { computeThumbprint } from '../../src/auth/thumbprint.ts';
import { ConfigError, type Environment, readConfig } from '../../src/config.ts';
import { readEdgeConfig } from '../../src/edge-config.ts';
import { PENDING_VOTE_KEY, SIGNING_KEY } from '../support/keys.ts';

// docs/product.md R5
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

const environment = (changes: Environment): Environment => ({
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

const production = (changes: Environment) => () => readConfig(environment(changes));

// docs/product.md R6
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

// docs/product.md R6
test.each([undefined, '', 'Production', 'PRODUCTION', 'prod', 'staging', ' production'])(
  'a start with NODE_ENV %j fails, and the error names it',
  (NODE_ENV) => {
    expect(production({ NODE_ENV })).toThrow(
      new ConfigError('Wrong configuration: NODE_ENV must be development, test or production.'),
    );
  },
);

// docs/product.md R6
test.each(['STAFF_IDP_ISSUER', 'STAFF_IDP_JWKS_URL', 'STAFF_IDP_AUTHORIZATION_URL'])(
  'a start in production with %s over http, as the provider of npm start, is refused',
  (name) => {
    expect(production({ [name]: 'https://idp.test' })).not.toThrow();
    for (const url of ['http://127.0.0.1:4000', ' HTTP://localhost:4000']) {
      expect(production({ [name]: url })).toThrow(`${name} must not be http in production`);
    }
    expect(production({ NODE_ENV: 'development', [name]: 'http://127.0.0.1:4000' })).not.toThrow();
  },
);

test.each([undefined, ''])('an edge function with NODE_ENV %j is in production', (NODE_ENV) => {
  const { NODE_ENV: _, ...env } = environment({});
  expect(readEdgeConfig({ ...env, NODE_ENV }).NODE_ENV).toBe('production');
  expect(() => readEdgeConfig({ ...env, NODE_ENV, SMS_PROVIDER: 'console' })).toThrow('SMS_PROVIDER');
  expect(() => readEdgeConfig({ ...env, NODE_ENV: 'Production' })).toThrow('NODE_ENV');
});

// docs/product.md R6
describe('the development key of the Supabase CLI', () => {
  const { x, y } = DEVELOPMENT_KEY;
  const unpadded = Buffer.from(x, 'base64');
  const spellings: [name: string, key: object][] = [
    ['as published', DEVELOPMENT_KEY],
    ['with another kid', { ...DEVELOPMENT_KEY, kid: 'another' }],
    ['with its members in another order', Object.fromEntries(Object.entries(DEVELOPMENT_KEY).toReversed())],
    ['without its private part', { ...DEVELOPMENT_KEY, d: undefined }],
    ['with padding', { ...DEVELOPMENT_KEY, x: `${x}=` }],
    [
      'in the other alphabet of base64',
      { ...DEVELOPMENT_KEY, y: Buffer.from(y, 'base64').toString('base64') },
    ],
    ['with other spare bits', { ...DEVELOPMENT_KEY, x: `${x.slice(0, -1)}5` }],
    ['with a space', { ...DEVELOPMENT_KEY, x: `${x.slice(0, 5)} ${x.slice(5)}` }],
    [
      'with a leading zero byte',
      { ...DEVELOPMENT_KEY, x: Buffer.concat([Buffer.alloc(1), unpadded]).toString('base64url') },
    ],
  ];
  const message =
    'Wrong configuration: JWT_SIGNING_KEYS must not hold the development key of the Supabase CLI in production.';

  test.each(spellings)('%s is refused in production, anywhere in the list', async (_, key) => {
    // Node would sign or verify with it.
    expect((await importSigningKeys([SIGNING_KEY, { ...key, kid: 'another' }])).verifiers.size).toBe(2);
    for (const keys of [[key], [SIGNING_KEY, { ...key, kid: 'another' }]]) {
      const JWT_SIGNING_KEYS = JSON.stringify(keys);
      expect(production({ JWT_SIGNING_KEYS })).toThrow(new ConfigError(message));
      expect(production({ JWT_SIGNING_KEYS, NODE_ENV: 'development' })).not.toThrow();
    }
  });

  test('with escapes in its JSON is refused in production', () => {
    const escaped = JSON.stringify([DEVELOPMENT_KEY]).replace(x, `\\u004d${x.slice(1)}`);
    expect(JSON.parse(escaped)).toEqual([DEVELOPMENT_KEY]);
    expect(production({ JWT_SIGNING_KEYS: escaped })).toThrow(new ConfigError(message));
  });

  test('is named beside other wrong variables', () => {
    const keys = JSON.stringify([DEVELOPMENT_KEY]);
    expect(production({ JWT_SIGNING_KEYS: keys, PORT: 'x' })).toThrow(
      /PORT must be .*; JWT_SIGNING_KEYS must not hold/,
    );
  });
});

test('the thumbprint of a key is that of RFC 7638', async () => {
  expect(computeThumbprint(DEVELOPMENT_KEY)).toBe(await calculateJwkThumbprint(DEVELOPMENT_KEY));
});

// docs/product.md R6
test('tests run with NODE_ENV=test, and not with NODE_ENV=production', async () => {
  expect(process.env.NODE_ENV).toBe('test');
  const { code, output } = await runTool('vitest', ['list', '--filesOnly'], {
    env: { NODE_ENV: 'production' },
  });
  expect([code, output]).toEqual([1, expect.stringContaining('Tests do not run with NODE_ENV=production.')]);
});
