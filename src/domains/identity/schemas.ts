import { z } from 'zod';
import { CAPTCHA_PROVIDERS } from '../../auth/captcha.ts';
import { id, text, timestamp } from '../../contract/values.ts';

const level = z.int().min(1).max(4);

const SessionUser = z
  .strictObject({
    id: id.describe('The id of the user, which never changes.'),
    username: z.string().nullable().describe('Null while the user is anonymous.'),
    fullName: z.string().nullable().describe('Null while the user is anonymous.'),
    isAnonymous: z.boolean().describe('True until profile basics are saved.'),
    level: level.describe('What the user may do, at the time of the answer.'),
  })
  .meta({ id: 'SessionUser', description: 'The user of a session.' });

/** The answer of every sign-in and refresh. */
export const Session = z
  .strictObject({
    accessToken: z.string().describe('An ES256 JWT, the bearer of requests.'),
    refreshToken: z.string().describe('Opaque, good for one refresh within 60 days.'),
    tokenType: z
      .literal('Bearer')
      .meta({ id: 'TokenType', description: 'The scheme of the Authorization header.' }),
    expiresIn: z.int().meta({ description: 'Seconds until the access token expires.' }),
    expiresAt: timestamp.describe('When the access token expires.'),
    user: SessionUser,
  })
  .meta({ id: 'Session', description: 'The tokens of a session and its user.' });

/** A session after sign-in by code or ID token. */
export const VerifiedSession = Session.extend({
  isNewUser: z.boolean().describe('Whether the phone or the anonymous identity had no user before.'),
  merged: z
    .boolean()
    .describe('Whether the anonymous user of the bearer became this user, or was merged into it.'),
}).meta({ id: 'VerifiedSession', description: 'A session, and what the sign-in did to its user.' });

export const OwnSession = z
  .strictObject({
    id: id.describe('The id by which the caller ends the session.'),
    kind: z.enum(['ios', 'android', 'web', 'other']).meta({
      id: 'DeviceKind',
      description: 'The kind of device, as the User-Agent of the sign-in tells it.',
    }),
    createdAt: timestamp.describe('When the session started.'),
    lastUsedAt: timestamp.meta({
      description: 'The time of the last refresh, at most 15 minutes ago while in use.',
    }),
    isCurrent: z.boolean().meta({ description: 'Whether the request uses this session.' }),
  })
  .meta({ id: 'OwnSession', description: "A session in its owner's list." });

/** The answer of `app.session_grant`: the claims of an access token. */
export const SessionGrant = z.object({
  sessionId: id,
  issuedAt: z.coerce.date(),
  expiresAt: z.coerce.date(),
  expiresIn: z.int(),
  user: SessionUser,
});

export const SentOtp = z
  .strictObject({
    phoneNumber: z.string().describe('The number of the request, in E.164.'),
    resendAfterSeconds: z
      .int()
      .describe('Seconds until the phone may have its next code, within its daily limit.'),
    expiresAt: timestamp.describe('When the code expires, five minutes after it was sent.'),
  })
  .meta({ id: 'SentOtp', description: 'A sent one-time code; the same for known and unknown phones.' });

export const LoginConfig = z
  .strictObject({
    appLogoUrl: z.url().describe('The logo on the login screen.'),
    methods: z
      .array(
        z.enum(['phone_otp', 'idp', 'anonymous']).meta({
          id: 'LoginMethod',
          description:
            'A code to a phone, an ID token of the identity provider, or the id of an app install.',
        }),
      )
      .describe('The ways to sign in that this service offers; `idp` only with an identity provider.'),
    otp: z
      .strictObject({
        length: z.int().describe('The number of digits of a code.'),
        resendAfterSeconds: z.int().describe('Seconds between two codes of a phone.'),
        expiresInSeconds: z.int().describe('Seconds for which a code is valid.'),
      })
      .meta({ id: 'OtpSettings', description: 'The settings of one-time codes.' }),
    legal: z
      .strictObject({
        termsUrl: z.url().describe('The page of the terms.'),
        privacyUrl: z.url().describe('The page of the privacy policy.'),
        termsVersion: z
          .string()
          .describe('The current version of the terms, to which profile basics consent.'),
      })
      .meta({ id: 'LegalTexts', description: 'The legal texts of the service.' }),
    captcha: z
      .strictObject({
        provider: z.enum(CAPTCHA_PROVIDERS).meta({
          id: 'CaptchaProvider',
          description: 'The provider whose widget gives the `captchaToken`.',
        }),
        siteKey: z.string().describe('The public key for the widget of the provider.'),
      })
      .meta({ id: 'CaptchaSettings', description: 'The captcha of code requests and anonymous sessions.' })
      .nullable()
      .meta({ description: 'The captcha whose token sign-in needs; null for none.' }),
  })
  .meta({ id: 'LoginConfig', description: 'What the login screen needs.' });

export const NextStep = z
  .enum(['profile_basics', 'media', 'phone', 'contacts'])
  .meta({
    id: 'OnboardingStep',
    description: 'A step of onboarding. The values are in the order of the steps.',
  })
  .nullable()
  .describe('The first open step; null when all are done.');

export const OnboardingStatus = z
  .strictObject({
    profileBasics: z.boolean().describe('Whether name, username and consent to the terms are saved.'),
    mediaCompleted: z.boolean().describe('Whether the media step is done, with or without a photo.'),
    phoneConfirmed: z.boolean().describe('Whether the user has a verified phone.'),
    contactsSynced: z.boolean().describe('Whether the contacts step is done; the upload may still be open.'),
    contactsSyncedAt: timestamp
      .nullable()
      .describe('When the contacts step was done first, which never changes; null before.'),
    level: level.describe('What the user may do now.'),
    completed: z.boolean().describe('Whether all steps are done.'),
    nextStep: NextStep,
  })
  .meta({ id: 'OnboardingStatus', description: 'The onboarding status of a user.' });

export const ContactPermission = z
  .enum(['granted', 'limited'])
  .meta({ id: 'ContactPermission', description: 'How much of the contacts the app may read: all, or some.' });

export const ContactSnapshot = z
  .strictObject({
    uploadId: id.describe('The id under which the contacts are uploaded, once.'),
    state: z
      .enum(['pending', 'stored'])
      .meta({ id: 'ContactSnapshotState', description: '`stored` once the contacts are uploaded.' }),
  })
  .meta({ id: 'ContactSnapshot', description: 'The one upload of contacts of a user.' });

/** The onboarding status in the answer to its own request. */
export const OnboardingStatusWithSnapshot = OnboardingStatus.extend({
  snapshot: ContactSnapshot.nullable().meta({ description: 'Null before the contacts step.' }),
}).meta({
  id: 'OnboardingStatusWithSnapshot',
  description: 'The onboarding status of a user, with the contact snapshot that they may have to upload.',
});

const NewContact = z
  .strictObject({
    name: text(0, 200).describe('Its name on the device; it may be empty.'),
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
  .meta({ id: 'NewContact', description: 'A contact of a device.' });

// Parsing a number takes microseconds, and a body could hold hundreds of thousands.
const MAX_NUMBERS = 20_000;

/** The contacts of an upload. */
export const NewContacts = z
  .array(NewContact)
  .max(5000, { error: 'Must be at most 5000 contacts.', abort: true })
  .refine(
    (contacts) => contacts.reduce((sum, { phoneNumbers }) => sum + phoneNumbers.length, 0) <= MAX_NUMBERS,
    { message: `Must have at most ${MAX_NUMBERS} phone numbers in all.` },
  )
  .describe('At most 5,000 contacts with 20,000 numbers in all.');
