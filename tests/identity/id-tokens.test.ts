import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import {
  anonymousClaims,
  bring,
  type Claims,
  phoneClaims,
  startTrustingOpine,
  type TrustingOpine,
} from '../support/id-tokens.ts';
import type { IdentityProvider } from '../support/identity-provider.ts';
import { aConfirmed, aGuest, aPhone, aRegistered, signIn } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let provider: IdentityProvider;
let opine: TrustingOpine;

beforeAll(async () => {
  opine = await startTrustingOpine();
  provider = opine.provider;
});

afterAll(() => opine.stop());

/** `caller` signs in by a token of `claims`. */
async function signInBy(claims: Claims, caller: Client = aGuest(opine)): Promise<Json> {
  const { status, data, error } = await bring(caller, await provider.sign(claims));
  if (status !== 200) throw new Error(`A good token was refused: ${JSON.stringify(error)}`);
  return data;
}

const byPhone = (phoneNumber: string, caller?: Client) => signInBy(phoneClaims(phoneNumber), caller);
const asInstall = (subject: string, caller?: Client) => signInBy(anonymousClaims(subject), caller);

const isAlive = async ({ accessToken }: Json) =>
  (await clientOf(opine.url, accessToken).get('/users/me/onboarding/status')).status === 200;

describe('a token of a phone', () => {
  test('signs in somebody new, with a session like every other', async () => {
    const session = await byPhone(aPhone());
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

  test('opens the account of a phone that was verified by a code', async () => {
    const amara = await aConfirmed(opine, 'Amara');
    expect(await byPhone(amara.phoneNumber)).toMatchObject({
      user: { id: amara.id, username: amara.username, level: 3 },
      isNewUser: false,
      merged: false,
    });
  });

  test('makes an account that a code opens', async () => {
    const phoneNumber = aPhone();
    const { user } = await byPhone(phoneNumber);
    expect(await signIn(opine, phoneNumber)).toMatchObject({ user: { id: user.id }, isNewUser: false });
  });

  test('opens one account whatever the provider calls its user', async () => {
    const phoneNumber = aPhone();
    const { user } = await byPhone(phoneNumber);
    const again = await signInBy(phoneClaims(phoneNumber, { sub: 'the same phone, linked anew' }));
    expect(again).toMatchObject({ user: { id: user.id }, isNewUser: false });
  });

  test('may be signed by ES256', async () => {
    const token = await provider.sign(phoneClaims(aPhone()), 'ES256');
    expect((await bring(aGuest(opine), token)).status).toBe(200);
  });

  test("expires by the provider's clock, not by ours", async () => {
    const token = await provider.sign(phoneClaims(aPhone()));
    await timePasses(opine, '2 hours');
    expect((await bring(aGuest(opine), token)).status).toBe(200);
  });
});

describe('with the bearer of an anonymous user, a token of a phone', () => {
  test('that is new makes it the user of that phone, with its name and votes', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const post = await aSlider(await aConfirmed(opine));
    await castVote(maya, post);
    const session = await byPhone(aPhone(), maya);
    expect(session).toMatchObject({
      user: { id: maya.id, username: maya.username, fullName: 'Maya', isAnonymous: false },
      isNewUser: true,
      merged: true,
    });
    const { data } = await myVote(clientOf(opine.url, session.accessToken), post);
    expect(data.hasVoted).toBe(true);
  });

  test('that is known moves its votes there, and its own sessions end', async () => {
    const known = await aConfirmed(opine, 'Known');
    const anonymous = await aRegistered(opine);
    const post = await aSlider(await aConfirmed(opine));
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

  test('merges nobody who has a phone already', async () => {
    const [amara, jonas] = [await aConfirmed(opine, 'Amara'), await aConfirmed(opine, 'Jonas')];
    const session = await byPhone(jonas.phoneNumber, amara);
    expect(session).toMatchObject({ user: { id: jonas.id }, isNewUser: false, merged: false });
    expect(await isAlive(amara.session)).toBe(true);
  });

  test('merges nobody by a bearer that is no good', async () => {
    const session = await byPhone(aPhone(), clientOf(opine.url, 'no.good.token'));
    expect(session).toMatchObject({ isNewUser: true, merged: false });
  });

  test('that is forged merges nobody', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const token = await provider.sign(phoneClaims(aPhone(), { aud: 'elsewhere' }));
    expect(await bring(maya, token)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect((await maya.get('/users/me/onboarding/status')).data.phoneConfirmed).toBe(false);
  });
});

describe('an anonymous token', () => {
  test('is of somebody from the first time on, and of nobody else', async () => {
    const first = await asInstall('an install that comes back');
    expect(first).toMatchObject({
      user: { username: null, fullName: null, isAnonymous: true, level: 1 },
      isNewUser: true,
      merged: false,
    });
    const again = await asInstall('an install that comes back');
    expect(again).toMatchObject({ user: { id: first.user.id }, isNewUser: false, merged: false });
    expect((await asInstall('another install')).user.id).not.toBe(first.user.id);
    expect(await isAlive(first)).toBe(true);
  });

  test('finds the profile that was made with it', async () => {
    const { accessToken, user } = await asInstall('an install with a profile');
    const profile = { fullName: 'Lena Ortiz', username: 'lena', termsAccepted: true };
    await clientOf(opine.url, accessToken).put('/users/me/onboarding/profile-basics', profile);
    const again = await asInstall('an install with a profile');
    expect(again.user).toEqual({
      id: user.id,
      username: 'lena',
      fullName: 'Lena Ortiz',
      isAnonymous: false,
      level: 2,
    });
  });

  test('takes no notice of a bearer', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const session = await asInstall('an install of another one', maya);
    expect(session).toMatchObject({ isNewUser: true, merged: false });
    expect(session.user.id).not.toBe(maya.id);
    expect(await isAlive(maya.session)).toBe(true);
  });

  test('is no device id: who knows the subject does not open the account by it', async () => {
    const subject = 'a subject that is no secret';
    const { user } = await asInstall(subject);
    const { data } = await aGuest(opine).post('/auth/anonymous/session', { deviceId: subject });
    expect(data.user.id).not.toBe(user.id);
  });

  test('begins anew once its user has left', async () => {
    const { accessToken, user } = await asInstall('an install whose user leaves');
    expect((await clientOf(opine.url, accessToken).delete('/users/me')).status).toBe(200);
    const fresh = await asInstall('an install whose user leaves');
    expect(fresh.isNewUser).toBe(true);
    expect(fresh.user.id).not.toBe(user.id);
  });

  test.each(['new', 'known'])('begins anew once its user has a phone that was %s', async (kind) => {
    const subject = `an install whose phone was ${kind}`;
    const { accessToken, user } = await asInstall(subject);
    const phoneNumber = kind === 'new' ? aPhone() : (await aConfirmed(opine)).phoneNumber;
    expect((await byPhone(phoneNumber, clientOf(opine.url, accessToken))).merged).toBe(true);
    const fresh = await asInstall(subject);
    expect(fresh).toMatchObject({ user: { level: 1, isAnonymous: true }, isNewUser: true });
    expect(fresh.user.id).not.toBe(user.id);
  });
});

describe('at the same time', () => {
  test('one new phone brought five times is one user', async () => {
    const phoneNumber = aPhone();
    const sessions = await Promise.all(Array.from({ length: 5 }, () => byPhone(phoneNumber)));
    expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
    expect(sessions.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
    expect(await Promise.all(sessions.map(isAlive))).toEqual(Array(5).fill(true));
  });

  test('one new phone by its code and by a token is one user', async () => {
    const phoneNumber = aPhone();
    const sessions = await Promise.all([signIn(opine, phoneNumber), byPhone(phoneNumber)]);
    expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
    expect(sessions.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
  });

  test.each(['a hurry', 'haste', 'a rush', 'no time'])(
    'one install brought ten times in %s is one user',
    async (hurry) => {
      const sessions = await Promise.all(
        Array.from({ length: 10 }, () => asInstall(`an install in ${hurry}`)),
      );
      expect(new Set(sessions.map(({ user }) => user.id)).size).toBe(1);
      expect(sessions.filter(({ isNewUser }) => isNewUser)).toHaveLength(1);
    },
  );
});

test.each([
  ['no idToken', {}, 'idToken'],
  ['an empty idToken', { idToken: '' }, 'idToken'],
  ['a number', { idToken: 42 }, 'idToken'],
  ['null', { idToken: null }, 'idToken'],
  ['a list', { idToken: ['a.b.c'] }, 'idToken'],
  ['a phone beside it', { idToken: 'a.b.c', phoneNumber: '+12025550101' }, 'phoneNumber'],
])('a body with %s is refused', async (_, body, field) => {
  const reply = await aGuest(opine).post('/auth/idp/token', body);
  expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  expect(JSON.stringify(reply.error.details.issues)).toContain(field);
});
