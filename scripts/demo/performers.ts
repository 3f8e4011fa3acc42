import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  createOpine,
  type Opine,
  OpineError,
  type VerifiedSession,
} from '../../clients/typescript/src/index.ts';
import { DEMO_CODE } from '../local/demo.ts';

/** Somebody who plays in a demo: a new person with a phone of their own. */
export interface Performer {
  readonly name: string;
  readonly id: string;
  readonly phoneNumber: string;
  readonly opine: Opine;
  /** By what the file of pushes knows their phone. */
  readonly deviceHash: string;
}

/** Somebody new signs in, goes through onboarding, and lets their phone be sent pushes. */
export async function enter(url: string, name: string): Promise<Performer> {
  const opine = createOpine({ baseUrl: url });
  const { phoneNumber, user } = await signInAnew(opine);
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

/** With a phone that no demo before had: an account that is there already has a life of its own. */
async function signInAnew(opine: Opine): Promise<VerifiedSession & { phoneNumber: string }> {
  for (;;) {
    const phoneNumber = `+1202555${randomInt(1000, 10_000)}`;
    try {
      await opine.post('/auth/otp/request', { body: { phoneNumber } });
      const session = await opine.post('/auth/otp/verify', { body: { phoneNumber, code: DEMO_CODE } });
      if (!session.isNewUser) continue;
      await opine.signIn(session);
      return { ...session, phoneNumber };
    } catch (error) {
      // Somebody asked for a code of this phone a moment ago.
      if (!(error instanceof OpineError && error.code === 'RATE_LIMITED')) throw error;
    }
  }
}
