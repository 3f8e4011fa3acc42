import { z } from 'zod';
import { id, timestamp } from '../values.ts';

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
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().meta({ description: 'Seconds until the access token expires.' }),
    expiresAt: timestamp,
    user: SessionUser,
  })
  .meta({ id: 'Session' });

/** A session by a verified phone. */
export const VerifiedSession = Session.extend({ isNewUser: z.boolean(), merged: z.boolean() }).meta({
  id: 'VerifiedSession',
});

/** A session as its owner sees it among their others. */
export const OwnSession = z
  .strictObject({
    id,
    kind: z.enum(['ios', 'android', 'web', 'other']).meta({ description: 'What signed in.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.meta({
      description: 'When it was refreshed last: at most 15 minutes ago while in use.',
    }),
    isCurrent: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
  })
  .meta({ id: 'OwnSession' });

/** What `app.session_grant` answers: all that is needed to sign an access token. */
export const SessionGrant = z.object({
  sessionId: id,
  issuedAt: z.coerce.date(),
  expiresAt: z.coerce.date(),
  expiresIn: z.int(),
  user: SessionUser,
});

/** What the login screen needs. */
export const LoginConfig = z
  .strictObject({
    appLogoUrl: z.url(),
    methods: z.array(z.enum(['phone_otp', 'idp', 'anonymous'])),
    otp: z.strictObject({ length: z.int(), resendAfterSeconds: z.int(), expiresInSeconds: z.int() }),
    legal: z.strictObject({ termsUrl: z.url(), privacyUrl: z.url(), termsVersion: z.string() }),
  })
  .meta({ id: 'LoginConfig' });
