import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { FORGED_ID_TOKENS } from '../support/forgeries.ts';
import {
  anonymousClaims,
  type Claims,
  type OpineWithIdp,
  phoneClaims,
  signInWithIdToken,
  staffClaims,
  startOpineWithIdp,
} from '../support/id-tokens.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { advanceTime } from '../support/opine.ts';
import { aGuest, confirmedPerson, newPhoneNumber, registeredPerson, signIn } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';

let provider: IdentityProvider;
let opine: OpineWithIdp;

beforeAll(async () => {
  opine = await startOpineWithIdp();
  provider = opine.provider;
});

afterAll(() => opine.stop());

/** Signs `caller` in with an ID token of `claims`. */
async function signInBy(claims: Claims, caller: Client = aGuest(opine)): Promise<Json> {
  const { status, data, error } = await signInWithIdToken(caller, await provider.sign(claims));
  if (status !== 200) throw new Error(`A good token was refused: ${JSON.stringify(error)}`);
  return data;
}

const byPhone = (phoneNumber: string, caller?: Client) => signInBy(phoneClaims(phoneNumber), caller);
const byAnonymousSubject = (subject: string, caller?: Client) => signInBy(anonymousClaims(subject), caller);

const isAlive = async ({ accessToken }: Json) =>
  (await clientOf(opine.url, accessToken).get('/users/me/onboarding/status')).status === 200;

describe('an ID token of a phone', () => {
  // docs/product.md I2
  test('an ID token of an unknown phone creates a user and a session that refreshes', async () => {
    const session = await byPhone(newPhoneNumber());
    expect(session).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      expiresAt: expect.any(String),
      user: { id: expect.any(String), username: null, fullName: null, isAnonymous: true, level: 1 },
      isNewUser: true,
      merged: false,
    });
    const { data } = await clientOf(opine.url, session.accessToken).get('/users/me/onboarding/status');
    expect(data).toMatchObject({ phoneConfirmed: true, level: 1 });
    const { refreshToken } = session;
    expect((await aGuest(opine).post('/auth/session/refresh', { refreshToken })).status).toBe(200);
  });

  // docs/product.md I12
  test('ID tokens of one phone with two subjects sign in one user', async () => {
    const phoneNumber = newPhoneNumber();
    const { user } = await byPhone(phoneNumber);
    const again = await signInBy(phoneClaims(phoneNumber, { sub: 'the same phone, linked anew' }));
    expect(again).toMatchObject({ user: { id: user.id }, isNewUser: false });
  });

  test('an ID token signed with ES256 is accepted', async () => {
    const token = await provider.sign(phoneClaims(newPhoneNumber()), 'ES256');
    expect((await signInWithIdToken(aGuest(opine), token)).status).toBe(200);
  });

  test("an ID token expires by the provider's clock, not by the database's", async () => {
    const token = await provider.sign(phoneClaims(newPhoneNumber()));
    await advanceTime(opine, '2 hours');
    expect((await signInWithIdToken(aGuest(opine), token)).status).toBe(200);
  });

  // docs/product.md I15
  test("an anonymous bearer is merged into the phone's user, and its own sessions end", async () => {
    const known = await confirmedPerson(opine, 'Known');
    const anonymous = await registeredPerson(opine);
    const post = await aSlider(await confirmedPerson(opine));
    await castVote(anonymous, post, 'right');
    const session = await byPhone(known.phoneNumber, anonymous);
    expect(session).toMatchObject({
      user: { id: known.id, username: known.username, level: 3 },
      isNewUser: false,
      merged: true,
    });
    const merged = clientOf(opine.url, session.accessToken);
    expect(await castVote(merged, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    expect(await countsOf(merged, post)).toEqual([0, 0, 0, 1, 0]);
    expect(await isAlive(anonymous.session)).toBe(false);
    expect(await isAlive(session)).toBe(true);
  });

  test('a forged ID token does not merge the bearer', async () => {
    const maya = await registeredPerson(opine, 'Maya');
    const token = await provider.sign(phoneClaims(newPhoneNumber(), { aud: 'elsewhere' }));
    expect(await signInWithIdToken(maya, token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await maya.get('/users/me/onboarding/status')).data.phoneConfirmed).toBe(false);
  });
});

// docs/product.md I12
describe('an anonymous ID token', () => {
  test('a known subject gets its user with the profile that was created with it', async () => {
    const { accessToken, user } = await byAnonymousSubject('an install with a profile');
    const profile = { fullName: 'Lena Ortiz', username: 'lena', termsAccepted: true };
    await clientOf(opine.url, accessToken).put('/users/me/onboarding/profile-basics', profile);
    const again = await byAnonymousSubject('an install with a profile');
    expect(again.user).toEqual({
      id: user.id,
      username: 'lena',
      fullName: 'Lena Ortiz',
      isAnonymous: false,
      level: 2,
    });
  });

  test('the subject of an ID token does not open its account as a device id', async () => {
    const subject = 'a subject that is no secret';
    const { user } = await byAnonymousSubject(subject);
    const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId: subject });
    expect(data.user.id).not.toBe(user.id);
  });
});

// docs/product.md I12
describe('a refused ID token', () => {
  const refused = async (token: string) =>
    expect(await signInWithIdToken(aGuest(opine), token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));

  test.for(FORGED_ID_TOKENS)('an ID token with %s is refused', async ([, forge]) => {
    await refused(await forge(provider, phoneClaims(newPhoneNumber())));
    await refused(await forge(provider, anonymousClaims('an install that is forged')));
  });

  test.each(['password', 'google.com', 'apple.com', 'custom', 'Phone', '', null, ['phone']])(
    'an ID token of the sign-in provider %j is refused',
    async (sign_in_provider) => {
      const firebase = { identities: {}, sign_in_provider };
      await refused(await provider.sign(phoneClaims(newPhoneNumber(), { firebase })));
    },
  );

  test.each([undefined, null, 'phone', {}])(
    'an ID token whose firebase claim is %j is refused',
    async (firebase) => {
      await refused(await provider.sign(phoneClaims(newPhoneNumber(), { firebase })));
    },
  );

  test.each([undefined, null, '', 'maya', '2025550101', '+999123456789', 12_025_550_101])(
    'an ID token of the phone %j is refused',
    async (phone_number) => {
      await refused(await provider.sign(phoneClaims(newPhoneNumber(), { phone_number })));
    },
  );

  test.each([undefined, '', 7])('an ID token of the anonymous subject %j is refused', async (sub) => {
    await refused(await provider.sign(anonymousClaims('an install', { sub })));
  });

  test('an ID token of staff is refused', async () => {
    await refused(await provider.sign(staffClaims('noor@opine.example')));
  });
});

describe('concurrent sign-ins', () => {
  test('five ID tokens of a new phone create one user', async () => {
    const phoneNumber = newPhoneNumber();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => byPhone(phoneNumber)));
    expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
    expect(sessions.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
    expect(await Promise.all(sessions.map(isAlive))).toEqual(Array(5).fill(true));
  });

  test('ten ID tokens of a new install create one user', async () => {
    for (const round of [1, 2, 3, 4]) {
      const subject = `a new install ${round}`;
      const sessions = await Promise.all(Array.from({ length: 10 }, () => byAnonymousSubject(subject)));
      expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
      expect(sessions.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
    }
  });

  test('a code and an ID token of a new phone create one user', async () => {
    const phoneNumber = newPhoneNumber();
    const sessions = await Promise.all([signIn(opine, phoneNumber), byPhone(phoneNumber)]);
    expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
    expect(sessions.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
  });
});
