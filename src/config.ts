import type { JWK } from 'jose';
import { isSupportedCountry } from 'libphonenumber-js/min';
import { z } from 'zod';
import { CAPTCHA_PROVIDERS } from './auth/captcha.ts';
import { parseTestNumbers, type TestNumbers } from './auth/phones.ts';
import { type ServiceAccount, serviceAccount } from './auth/service-account.ts';
import { computeThumbprint, encodeCoordinate } from './auth/thumbprint.ts';

/** The environment: `process.env` in Node, `Deno.env.toObject()` in Deno. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong environment. Its message is one line with every wrong variable, and no values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Returns the schema of a parsed variable. @param message says what the variable must be, if `parse` throws */
function parsed<T>(parse: (value: string) => T, message: string) {
  return z.string('is missing').transform((value, context): T => {
    try {
      return parse(value);
    } catch {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });
}

const coordinate = z.exactOptional(z.string().transform(encodeCoordinate));

const jwks = z
  .array(
    z.looseObject({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      kid: z.string(),
      x: coordinate,
      y: coordinate,
    }),
  )
  .min(1);

const signingKeys = parsed(
  (value): JWK[] => jwks.parse(JSON.parse(value)),
  'must be a JSON array of ES256 keys (JWK), each with its kid',
);

const testNumbers = parsed(
  (value): TestNumbers => parseTestNumbers(value),
  'must look like +1202555*=4242, several separated by commas',
);

const sealingKeys = parsed((value): string[] => {
  const keys = value.split(',').map((key) => key.trim());
  if (!keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key))) throw new Error('not a key');
  return keys;
}, 'must be 32 random bytes in base64, several of them separated by commas');

const firebaseAccount = parsed(
  (value): ServiceAccount => serviceAccount.parse(JSON.parse(value)),
  'must be the JSON of a key of a service account',
);

function integer(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** The variables that limit a person, by kind of `app.usage_limit`, which has the defaults. */
const USAGE_LIMITS = {
  posts: 'LIMIT_POSTS_PER_HOUR',
  comments: 'LIMIT_COMMENTS_PER_HOUR',
  follows: 'LIMIT_FOLLOWS_PER_HOUR',
  shares: 'LIMIT_SHARES_PER_HOUR',
  hubs: 'LIMIT_HUBS_PER_DAY',
  reports: 'LIMIT_REPORTS_PER_DAY',
  votes: 'LIMIT_VOTES_PER_HOUR',
  searches: 'LIMIT_SEARCHES_PER_HOUR',
  joinRequests: 'LIMIT_JOIN_REQUESTS_PER_DAY',
  roleChanges: 'LIMIT_ROLE_CHANGES_PER_HOUR',
} as const;

const uses = integer(1, 999_999_999).optional();
type UsageVariable = (typeof USAGE_LIMITS)[keyof typeof USAGE_LIMITS];
const usageLimits = Object.fromEntries(
  Object.values(USAGE_LIMITS).map((variable) => [variable, uses]),
) as Record<UsageVariable, typeof uses>;

/** A range of seconds: `300-1800`. */
const secondsRange = z
  .string()
  .regex(/^\d{1,5}-\d{1,5}$/, 'must look like 300-1800')
  .transform((value) => {
    const [from = 0, to = 0] = value.split('-').map(Number);
    return { from, to };
  })
  .refine(({ from, to }) => from <= to && to <= 86_400, 'must go up, to 86400 at most');

const text = z.string('is missing').min(1, 'is missing');
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL', abort: true })
  .refine((value) => /^opine_gateway(\.|$)/.test(new URL(value).username), 'must log in as opine_gateway');
const emails = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((email) => email.trim().toLowerCase())
      .filter(Boolean),
  )
  .pipe(z.array(z.email('must be e-mail addresses separated by commas')));
const databaseUrls = z
  .string()
  .transform((value) => value.split(',').map((url) => url.trim()))
  .pipe(z.array(databaseUrl));
const corsOrigins = z
  .string()
  .transform((value) => value.split(',').map((origin) => origin.trim()))
  .refine(
    (origins) => origins.every(isOrigin),
    'must be origins like https://app.example, separated by commas',
  );

/** Whether a text is an origin as browsers send it. `*` stands for any port of this machine. */
function isOrigin(origin: string): boolean {
  if (/^https?:\/\/(localhost|127\.0\.0\.1|\[::1\]):\*$/.test(origin)) return true;
  return /^https?:[^*]+$/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
}

/** ISO codes of countries, such as `DE,AT`. */
const countries = z
  .string()
  .transform((value) => value.split(',').map((code) => code.trim().toUpperCase()))
  .refine(
    (codes) => codes.every((code) => isSupportedCountry(code)),
    'must be ISO codes of countries like DE, separated by commas',
  );

/** The apps that open links of APP_URL on iOS: team and bundle, as in `A1B2C3D4E5.example.opine`. */
const iosApps = z
  .string()
  .transform((value) => value.split(',').map((app) => app.trim()))
  .refine(
    (apps) => apps.every((app) => /^[A-Z0-9]{10}(\.[A-Za-z0-9-]+)+$/.test(app)),
    'must look like A1B2C3D4E5.example.opine, several separated by commas',
  );

/** The apps that open links of APP_URL on Android: package and SHA-256 of its certificate, as in `example.opine=14:6D:…`. */
const androidApps = z
  .string()
  .transform((value) =>
    value.split(',').map((app) => {
      const [packageName = '', fingerprint = ''] = app.trim().split('=');
      return { packageName, fingerprint: fingerprint.toUpperCase() };
    }),
  )
  .refine(
    (apps) =>
      apps.every(
        ({ packageName, fingerprint }) =>
          /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(packageName) &&
          /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(fingerprint),
      ),
    'must look like example.opine=14:6D:…, with 32 pairs of hex digits, several separated by commas',
  );

const flag = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true');

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production'], 'must be development, test or production'),
  PROCESS: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
  HOST: text.default('0.0.0.0'),
  PORT: integer(0, 65_535).default(8787),
  KEEP_ALIVE_SECONDS: integer(1, 3600).default(65),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a level of pino')
    .default('info'),
  METRICS_HOST: text.default('127.0.0.1'),
  METRICS_PORT: integer(0, 65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  DATABASE_URL: databaseUrl,
  DATABASE_LISTEN_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URLS: databaseUrls.default([]),
  DATABASE_POOL_SIZE: integer(1, 200).default(10),
  DATABASE_NAMED_STATEMENTS: flag.default(true),
  JWT_SIGNING_KEYS: signingKeys,
  HASH_SECRET: z.string('is missing').min(32, 'must have at least 32 characters'),
  SUPABASE_URL: webUrl,
  SUPABASE_SECRET_KEY: text,
  PUBLIC_SUPABASE_URL: webUrl.optional(),
  PUBLIC_URL: webUrl.optional(),
  CORS_ORIGINS: corsOrigins.default([]),
  TRUSTED_PROXY_COUNT: integer(0, 10).default(0),
  IDP_ISSUER: text.optional(),
  IDP_AUDIENCE: text.optional(),
  IDP_JWKS_URL: webUrl.default(
    'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
  ),
  STAFF_IDP_CLIENT_ID: text.optional(),
  STAFF_IDP_ISSUER: text.default('https://accounts.google.com'),
  STAFF_IDP_JWKS_URL: webUrl.default('https://www.googleapis.com/oauth2/v3/certs'),
  STAFF_IDP_AUTHORIZATION_URL: webUrl.optional(),
  STAFF_ALLOWED_DOMAIN: text.toLowerCase().optional(),
  STAFF_ALLOWED_EMAILS: emails.default([]),
  NEW_DEVICES_PER_ADDRESS_PER_HOUR: integer(1, 1_000_000).default(600),
  OTP_CODES_PER_PHONE_PER_DAY: integer(1, 1000).default(5),
  OTP_REQUESTS_PER_ADDRESS_PER_HOUR: integer(1, 1_000_000).default(60),
  OTP_TRIES_PER_ADDRESS_PER_HOUR: integer(1, 1_000_000).default(60),
  OTP_WRONG_TRIES_PER_DAY: integer(1, 100_000_000).default(5000),
  ...usageLimits,
  LIMITS_FACTOR: integer(1, 1_000_000).optional(),
  NEW_ACCOUNT_SHARE: z
    .string()
    .regex(/^(0\.\d{1,6}|1(\.0+)?)$/, 'must be a number above 0, 1 at most')
    .transform(Number)
    .refine((share) => share > 0, 'must be a number above 0, 1 at most')
    .optional(),
  CAPTCHA_PROVIDER: z.enum(CAPTCHA_PROVIDERS, `must be ${CAPTCHA_PROVIDERS.join(' or ')}`).optional(),
  CAPTCHA_SECRET: text.optional(),
  CAPTCHA_SITE_KEY: text.optional(),
  CAPTCHA_URL: webUrl.optional(),
  SMS_COUNTRIES: countries.optional(),
  SMS_PER_PREFIX_PER_HOUR: integer(1, 1_000_000).default(100),
  SMS_PROVIDER: z.enum(['console', 'twilio'], 'must be console or twilio'),
  SMS_TEST_NUMBERS: testNumbers.optional(),
  SMS_TEST_NUMBERS_WAIT: flag.default(true),
  SMS_TWILIO_URL: webUrl.optional(),
  SMS_TWILIO_ACCOUNT_SID: text.optional(),
  SMS_TWILIO_AUTH_TOKEN: text.optional(),
  SMS_TWILIO_FROM: text.optional(),
  SMS_TWILIO_MESSAGING_SERVICE_SID: text.optional(),
  FIREBASE_SERVICE_ACCOUNT: firebaseAccount.optional(),
  PUSH_ADDRESS: z
    .string()
    .regex(/^[\w.-]+:\d{1,5}$/, 'must look like 127.0.0.1:8443')
    .optional(),
  PUSH_FILE: text.optional(),
  PUSH_LOC_KEYS: flag.default(false),
  PUSH_SECRET: z
    .string()
    .regex(/^\S{32,}$/, 'must have at least 32 characters, none of them white space')
    .optional(),
  NOTIFICATIONS_KEEP_DAYS: integer(1, 3650).optional(),
  PENDING_VOTE_KEY: sealingKeys,
  VOTE_ACTIVITY_DELAY_SECONDS: secondsRange.default({ from: 300, to: 1800 }),
  VOTE_ACTIVITY_MINIMUM: integer(1, 1_000_000).default(1),
  APP_URL: webUrl.default('https://opine.example'),
  APP_LOGO_URL: webUrl.default('https://opine.example/logo.png'),
  TERMS_URL: webUrl.default('https://opine.example/terms'),
  TERMS_VERSION: text.max(40, 'must have at most 40 characters').default('1'),
  PRIVACY_URL: webUrl.default('https://opine.example/privacy'),
  IOS_APPS: iosApps.default([]),
  ANDROID_APPS: androidApps.default([]),
  WEB_APP: flag.default(false),
  CHECK_ANSWERS: flag.default(false),
});

/** The names of all variables. */
export const VARIABLES: readonly string[] = Object.keys(environment.shape);

// The URLs differ only behind a pooler in transaction mode, and behind a gateway with a public name of its own.
const variables = environment.transform((env) => {
  const { DATABASE_LISTEN_URL = env.DATABASE_URL, PUBLIC_SUPABASE_URL = env.SUPABASE_URL } = env;
  return { ...env, DATABASE_LISTEN_URL, PUBLIC_SUPABASE_URL };
});

/** The configuration of the service, by variable. */
export type Config = z.output<typeof variables>;

/** Returns the configured limits of a person as `app.use_limit` takes them, null for the defaults. */
export function configuredLimits(config: Config): object | null {
  const uses = Object.entries(USAGE_LIMITS).map(([kind, variable]) => [kind, config[variable]]);
  const limits = {
    ...Object.fromEntries(uses),
    factor: config.LIMITS_FACTOR,
    newAccountShare: config.NEW_ACCOUNT_SHARE,
  };
  return Object.values(limits).every((limit) => limit === undefined) ? null : limits;
}

/** The thumbprint of the signing key that the Supabase CLI gives every local stack. The key is public: anyone can sign with it. */
const DEVELOPMENT_KEY_THUMBPRINT = 'yyMDMI2wt1ZSBh5aM3szi2p326v6vuJP-LQP5eP80P0';

/** Returns contradictions between variables. It reads raw values, so that one error also names the wrong ones. */
function findContradictions(env: Environment): string[] {
  const issues: string[] = [];
  const refuse = (name: string, message: string) => issues.push(`${name} ${message}`);
  if (env.SMS_PROVIDER === 'twilio') {
    if (!env.SMS_TWILIO_ACCOUNT_SID) refuse('SMS_TWILIO_ACCOUNT_SID', 'is missing');
    if (!env.SMS_TWILIO_AUTH_TOKEN) refuse('SMS_TWILIO_AUTH_TOKEN', 'is missing');
    if (!env.SMS_TWILIO_FROM === !env.SMS_TWILIO_MESSAGING_SERVICE_SID) {
      refuse('SMS_TWILIO_FROM', 'or SMS_TWILIO_MESSAGING_SERVICE_SID must be given, not both');
    }
  }
  if (!env.IDP_ISSUER !== !env.IDP_AUDIENCE) {
    refuse(env.IDP_ISSUER ? 'IDP_AUDIENCE' : 'IDP_ISSUER', 'is missing');
  }
  if (env.CAPTCHA_PROVIDER) {
    if (!env.CAPTCHA_SECRET) refuse('CAPTCHA_SECRET', 'is missing');
    if (!env.CAPTCHA_SITE_KEY) refuse('CAPTCHA_SITE_KEY', 'is missing');
  }
  if (!env.STAFF_IDP_CLIENT_ID !== !env.STAFF_ALLOWED_DOMAIN) {
    refuse(env.STAFF_IDP_CLIENT_ID ? 'STAFF_ALLOWED_DOMAIN' : 'STAFF_IDP_CLIENT_ID', 'is missing');
  }
  if (env.NODE_ENV === 'production') {
    if (env.SMS_PROVIDER === 'console') refuse('SMS_PROVIDER', 'must not be console in production');
    if (env.PUSH_ADDRESS) refuse('PUSH_ADDRESS', 'must not be set in production');
    if (env.PUSH_FILE) refuse('PUSH_FILE', 'must not be set in production');
    if (env.SMS_TEST_NUMBERS) refuse('SMS_TEST_NUMBERS', 'must not be set in production');
    // The provider of `npm start` lets anybody in. Its issuer is its loopback address, and OpenID Connect asks others for https.
    for (const name of ['STAFF_IDP_ISSUER', 'STAFF_IDP_JWKS_URL', 'STAFF_IDP_AUTHORIZATION_URL']) {
      if (/^http:/i.test(env[name]?.trim() ?? '')) refuse(name, 'must not be http in production');
    }
    const keys = signingKeys.safeParse(env.JWT_SIGNING_KEYS).data ?? [];
    if (keys.some((key) => computeThumbprint(key) === DEVELOPMENT_KEY_THUMBPRINT)) {
      refuse('JWT_SIGNING_KEYS', 'must not hold the development key of the Supabase CLI in production');
    }
    for (const name of ['APP_URL', 'APP_LOGO_URL', 'TERMS_URL', 'PRIVACY_URL']) {
      if (!env[name]) refuse(name, 'is missing');
    }
  }
  return issues;
}

/** Returns the variables that have a value: an empty variable counts as missing. */
export function withoutEmptyVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}

/**
 * Reads the whole configuration.
 * @throws ConfigError with every wrong variable
 */
export function readConfig(env: Environment): Config {
  const given = withoutEmptyVariables(env);
  const result = variables.safeParse(given);
  const wrong = result.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? [];
  const issues = [...wrong, ...findContradictions(given)];
  if (result.success && issues.length === 0) return result.data;
  throw new ConfigError(`Wrong configuration: ${[...new Set(issues)].join('; ')}.`);
}
