import { type Captcha, createCaptcha } from './auth/captcha.ts';
import { createIdp, createStaffIdp, type Idp, type StaffIdp } from './auth/idp.ts';
import { createSecrets, type Secrets } from './auth/secrets.ts';
import type { SmsSender } from './auth/sms.ts';
import { createConsoleSender, createTwilioSender } from './auth/sms.ts';
import { createTokens, type Tokens } from './auth/tokens.ts';
import { type Config, ConfigError, configuredLimits } from './config.ts';
import { createGateway, type Gateway } from './db/gateway.ts';
import { buildLoginUrl } from './db/pool.ts';
import { withReplicas } from './db/replicas.ts';
import { createLink, type Link } from './db/silence.ts';
import type { Images } from './images/images.ts';
import { createLog, type Log, type Write } from './log.ts';
import { UNWATCHED, type Watch } from './observability/watch.ts';
import { buildPhotosUrl } from './storage/buckets.ts';
import { createIntake, type Intake } from './storage/intake.ts';
import { createObjects, type Objects } from './storage/objects.ts';
import { createSignedUrls, type SignedUrls } from './storage/signed-urls.ts';

/** The configuration of staff sign-in. */
export interface StaffAccess {
  readonly clientId: string;
  /** Where staff signs in by a redirect; undefined for Google's button. */
  readonly authorizationUrl: string | undefined;
  readonly idp: StaffIdp;
  /** The allow-list of the configuration. Postgres applies it together with `staff.allowed_emails`. */
  readonly policy: { readonly allowedDomain: string; readonly allowedEmails: readonly string[] };
}

/** The dependencies of the app. */
export interface Services {
  readonly config: Config;
  readonly log: Log;
  readonly watch: Watch;
  readonly gateway: Gateway;
  /** The connections to the primary. */
  readonly link: Link;
  readonly tokens: Tokens;
  readonly secrets: Secrets;
  /** The storage of files. */
  readonly objects: Objects;
  readonly signedUrls: SignedUrls;
  readonly intake: Intake;
  readonly sms: SmsSender;
  /** Null without configuration. */
  readonly captcha: Captcha | null;
  /** Null without configuration. */
  readonly idp: Idp | null;
  /** Null without configuration of staff sign-in. */
  readonly staff: StaffAccess | null;
}

/**
 * Creates the services of a configuration. They connect on demand.
 * @param images prepares images in this runtime
 * @param extras `write` writes the log and printed text messages, to standard output by default; `watch` records metrics and
 *   traces, none by default
 * @throws ConfigError for unusable signing keys
 */
export async function createServices(
  config: Config,
  images: Images,
  { write, watch = UNWATCHED }: { readonly write?: Write; readonly watch?: Watch } = {},
): Promise<Services> {
  const { SUPABASE_URL: url, PUBLIC_SUPABASE_URL: publicUrl, JWT_SIGNING_KEYS: signingKeys } = config;
  const log = createLog(config.LOG_LEVEL, write);
  const tokens = await createTokens({ signingKeys, issuer: new URL('/auth/v1', publicUrl).href }).catch(
    (error: Error) => {
      throw new ConfigError(`Wrong configuration: JWT_SIGNING_KEYS: ${error.message}.`);
    },
  );
  const objects = createObjects({ url, secretKey: config.SUPABASE_SECRET_KEY });
  const link = createLink();
  return {
    config,
    log,
    watch,
    link,
    gateway: openGateway(config, log, watch, link),
    tokens,
    secrets: createSecrets(config.HASH_SECRET),
    objects,
    signedUrls: await createSignedUrls({ url: publicUrl, signingKeys }),
    intake: createIntake(objects, images),
    sms: createSms(config, write),
    captcha: createConfiguredCaptcha(config),
    idp: createConfiguredIdp(config),
    staff: createStaffAccess(config),
  };
}

function openGateway(config: Config, log: Log, watch: Watch, link: Link): Gateway {
  const { DATABASE_URL, DATABASE_REPLICA_URLS, PUBLIC_SUPABASE_URL } = config;
  const shared = {
    poolSize: config.DATABASE_POOL_SIZE,
    namesStatements: config.DATABASE_NAMED_STATEMENTS,
    photosUrl: buildPhotosUrl(PUBLIC_SUPABASE_URL),
    onIdleError: () => log.warn('lost an idle database connection'),
  };
  const serializableUrl = buildLoginUrl(DATABASE_URL, 'opine_serializable');
  const gateway = createGateway({
    ...shared,
    url: DATABASE_URL,
    serializableUrl,
    link,
    limits: configuredLimits(config),
    onVisitLost: (err) => log.warn({ err }, 'a visit of a Hub was not recorded'),
    onRetry: watch.meters.retried,
  });
  if (DATABASE_REPLICA_URLS.length === 0) return gateway;
  return withReplicas(gateway, {
    ...shared,
    urls: DATABASE_REPLICA_URLS,
    onRead: watch.meters.replicaRead,
    onOpen: (err) => log.warn({ err }, 'a replica is passed over'),
  });
}

function createConfiguredCaptcha({
  CAPTCHA_PROVIDER: provider,
  CAPTCHA_SECRET: secret,
  CAPTCHA_URL: url,
}: Config) {
  return provider && secret ? createCaptcha({ provider, secret, url }) : null;
}

function createConfiguredIdp({ IDP_ISSUER, IDP_AUDIENCE, IDP_JWKS_URL }: Config): Idp | null {
  return IDP_ISSUER && IDP_AUDIENCE
    ? createIdp({ issuer: IDP_ISSUER, audience: IDP_AUDIENCE, jwksUrl: IDP_JWKS_URL })
    : null;
}

function createStaffAccess(config: Config): StaffAccess | null {
  const { STAFF_IDP_CLIENT_ID: clientId, STAFF_ALLOWED_DOMAIN: allowedDomain } = config;
  if (!clientId || !allowedDomain) return null;
  const { STAFF_IDP_ISSUER: issuer, STAFF_IDP_JWKS_URL: jwksUrl } = config;
  return {
    clientId,
    authorizationUrl: config.STAFF_IDP_AUTHORIZATION_URL,
    idp: createStaffIdp({ issuer, audience: clientId, jwksUrl }),
    policy: { allowedDomain, allowedEmails: config.STAFF_ALLOWED_EMAILS },
  };
}

function createSms(config: Config, write: Write = (text) => process.stdout.write(text)): SmsSender {
  if (config.SMS_PROVIDER === 'console') return createConsoleSender(write);
  const {
    SMS_TWILIO_ACCOUNT_SID = '',
    SMS_TWILIO_AUTH_TOKEN = '',
    SMS_TWILIO_FROM,
    SMS_TWILIO_MESSAGING_SERVICE_SID = '',
  } = config;
  return createTwilioSender({
    ...(config.SMS_TWILIO_URL && { baseUrl: config.SMS_TWILIO_URL }),
    accountSid: SMS_TWILIO_ACCOUNT_SID,
    authToken: SMS_TWILIO_AUTH_TOKEN,
    ...(SMS_TWILIO_FROM
      ? { from: SMS_TWILIO_FROM }
      : { messagingServiceSid: SMS_TWILIO_MESSAGING_SERVICE_SID }),
  });
}
