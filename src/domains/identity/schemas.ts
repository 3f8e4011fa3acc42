import { z } from 'zod';
import { CAPTCHA_PROVIDERS } from '../../auth/captcha.ts';
import { id, text, timestamp } from '../../contract/values.ts';

const SessionUser = z
  .strictObject({
    id,
    username: z.string().nullable(),
    fullName: z.string().nullable(),
    isAnonymous: z.boolean(),
    level: z.int().min(1).max(4),
  })
  .meta({ id: 'SessionUser' });

/** A session as sign-in and refresh answer it. */
export const Session = z
  .strictObject({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal('Bearer').meta({ id: 'TokenType' }),
    expiresIn: z.int().meta({ description: 'Seconds until the access token expires.' }),
    expiresAt: timestamp,
    user: SessionUser,
  })
  .meta({ id: 'Session' });

/** A session after sign-in by code or ID token. */
export const VerifiedSession = Session.extend({ isNewUser: z.boolean(), merged: z.boolean() }).meta({
  id: 'VerifiedSession',
});

/** A session in its owner's list. */
export const OwnSession = z
  .strictObject({
    id,
    kind: z.enum(['ios', 'android', 'web', 'other']).meta({ id: 'DeviceKind' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({
      description: 'The time of the last refresh, at most 15 minutes ago while in use.',
    }),
    isCurrent: z.boolean().meta({ description: 'Whether the request uses this session.' }),
  })
  .meta({ id: 'OwnSession' });

/** The answer of `app.session_grant`: the claims of an access token. */
export const SessionGrant = z.object({
  sessionId: id,
  issuedAt: z.coerce.date(),
  expiresAt: z.coerce.date(),
  expiresIn: z.int(),
  user: SessionUser,
});

/** The answer to a request for a code. */
export const SentOtp = z
  .strictObject({ phoneNumber: z.string(), resendAfterSeconds: z.int(), expiresAt: timestamp })
  .meta({ id: 'SentOtp' });

/** The configuration of the login screen. */
export const LoginConfig = z
  .strictObject({
    appLogoUrl: z.url(),
    methods: z.array(z.enum(['phone_otp', 'idp', 'anonymous']).meta({ id: 'LoginMethod' })),
    otp: z
      .strictObject({ length: z.int(), resendAfterSeconds: z.int(), expiresInSeconds: z.int() })
      .meta({ id: 'OtpSettings' }),
    legal: z
      .strictObject({ termsUrl: z.url(), privacyUrl: z.url(), termsVersion: z.string() })
      .meta({ id: 'LegalTexts' }),
    captcha: z
      .strictObject({
        provider: z.enum(CAPTCHA_PROVIDERS).meta({ id: 'CaptchaProvider' }),
        siteKey: z.string(),
      })
      .meta({ id: 'CaptchaSettings' })
      .nullable()
      .meta({ description: 'The captcha whose token sign-in needs; null for none.' }),
  })
  .meta({ id: 'LoginConfig' });

/** The first open step of onboarding, or null. */
export const NextStep = z
  .enum(['profile_basics', 'media', 'phone', 'contacts'])
  .meta({ id: 'OnboardingStep' })
  .nullable();

/** The onboarding status of a user. */
export const OnboardingStatus = z
  .strictObject({
    profileBasics: z.boolean(),
    mediaCompleted: z.boolean(),
    phoneConfirmed: z.boolean(),
    contactsSynced: z.boolean(),
    contactsSyncedAt: timestamp.nullable(),
    level: z.int().min(1).max(4),
    completed: z.boolean(),
    nextStep: NextStep,
  })
  .meta({ id: 'OnboardingStatus' });

/** How much of the contacts the app may read. */
export const ContactPermission = z.enum(['granted', 'limited']).meta({ id: 'ContactPermission' });

/** A contact snapshot and whether its upload has arrived. */
export const ContactSnapshot = z
  .strictObject({
    uploadId: id,
    state: z.enum(['pending', 'stored']).meta({ id: 'ContactSnapshotState' }),
  })
  .meta({ id: 'ContactSnapshot' });

/** The onboarding status of a user, with the contact snapshot that they may have to upload. */
export const OnboardingStatusWithSnapshot = OnboardingStatus.extend({
  snapshot: ContactSnapshot.nullable().meta({ description: 'Null before the contacts step.' }),
}).meta({ id: 'OnboardingStatusWithSnapshot' });

/** A contact of a device. */
const NewContact = z
  .strictObject({
    name: text(0, 200),
    phoneNumbers: z
      .array(z.string())
      .max(50)
      .meta({ description: 'E.164, in any notation. Numbers that nobody can have are left out.' }),
    thumbnail: z
      .base64('Must be base64.')
      .max(10_924, 'Must have at most 10924 characters.')
      .optional()
      .meta({ description: 'A small image in base64, at most 8 KiB after decoding.' }),
  })
  .meta({ id: 'NewContact' });

// Parsing a number takes microseconds, and a body could hold hundreds of thousands.
const MAX_NUMBERS = 20_000;

/** The contacts of an upload. */
export const NewContacts = z
  .array(NewContact)
  .max(5000, { error: 'Must be at most 5000 contacts.', abort: true })
  .refine(
    (contacts) => contacts.reduce((sum, { phoneNumbers }) => sum + phoneNumbers.length, 0) <= MAX_NUMBERS,
    { message: `Must have at most ${MAX_NUMBERS} phone numbers in all.` },
  );
