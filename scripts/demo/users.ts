import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  createOpine,
  type Opine,
  OpineError,
  type VerifiedSession,
} from '../../clients/typescript/src/index.ts';
import { withClient } from '../local/connection.ts';
import { DEMO_CODE } from '../local/environment.ts';

/** A new user of the demo, with a phone. */
export interface DemoUser {
  readonly name: string;
  readonly id: string;
  readonly phoneNumber: string;
  readonly opine: Opine;
  /** The hash of the device token, which identifies the phone in the push file. */
  readonly deviceHash: string;
}

/** Signs up a user with an unused phone, completes onboarding, and registers a device for pushes. */
export async function signUp(url: string, name: string): Promise<DemoUser> {
  const opine = createOpine({ baseUrl: url });
  const { phoneNumber, user } = await signInWithNewPhone(opine);
  const username = `${name.toLowerCase()}_${randomBytes(4).toString('hex')}`;
  await opine.put('/users/me/onboarding/profile-basics', {
    body: { fullName: `${name} of the demo`, username, termsAccepted: true },
  });
  await opine.put('/users/me/onboarding/media', { body: {} });
  await opine.put('/users/me/onboarding/contacts', { body: { permission: 'granted' } });
  const token = randomBytes(32).toString('base64url');
  await opine.post('/notifications/device-tokens', { body: { token, platform: 'android' } });
  const deviceHash = createHash('sha256').update(token).digest('hex');
  return { name, id: user.id, phoneNumber, opine, deviceHash };
}

/** Adds a user to the default feed, which guests see. Only admins and the owner of the database may. */
export async function showToGuests(databaseUrl: string, { id }: DemoUser): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query('insert into app.default_feed_users (user_id) values ($1)', [id]),
  );
}

/** Signs in with a random phone number without an account: accounts of earlier demos have followers and posts. */
async function signInWithNewPhone(opine: Opine): Promise<VerifiedSession & { phoneNumber: string }> {
  for (;;) {
    const phoneNumber = `+1202555${randomInt(1000, 10_000)}`;
    try {
      await opine.post('/auth/otp/request', { body: { phoneNumber } });
      const session = await opine.post('/auth/otp/verify', { body: { phoneNumber, code: DEMO_CODE } });
      if (!session.isNewUser) continue;
      await opine.signIn(session);
      return { ...session, phoneNumber };
    } catch (error) {
      // This phone has requested a code a moment ago.
      if (!(error instanceof OpineError && error.code === 'RATE_LIMITED')) throw error;
    }
  }
}
