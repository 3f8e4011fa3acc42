import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json, refusal } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aPhone, aRegistered, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** `person` enters the code of a phone while signed in. */
async function verify(person: Person, phoneNumber: string): Promise<Json> {
  await timePasses(opine, '1 minute');
  await requestOtp(person, phoneNumber);
  const { status, data } = await enterCode(person, phoneNumber);
  expect(status).toBe(200);
  return data;
}

const isAlive = async ({ accessToken, refreshToken }: Json) => {
  const status = await clientOf(opine.url, accessToken).get('/users/me/onboarding/status');
  const refresh = await aGuest(opine).post('/auth/session/refresh', { refreshToken });
  expect(refresh.status).toBe(status.status);
  return status.status === 200;
};

describe('an anonymous user whose phone is new', () => {
  test('becomes the user of that phone, with the same id, name and votes', async () => {
    const maya = await aRegistered(opine, 'Maya');
    const post = await aSlider(await aConfirmed(opine));
    await castVote(maya, post);
    const session = await verify(maya, aPhone());
    expect(session).toMatchObject({
      user: { id: maya.id, username: maya.username, fullName: 'Maya', isAnonymous: false },
      isNewUser: true,
      merged: true,
    });
    const mayaWithPhone = clientOf(opine.url, session.accessToken);
    expect((await myVote(mayaWithPhone, post)).data.hasVoted).toBe(true);
    expect((await mayaWithPhone.get('/users/me/onboarding/status')).data.phoneConfirmed).toBe(true);
  });
});

test('who verifies a phone ends the sessions that others opened with the device id', async () => {
  const deviceId = 'an install that somebody else has looked at';
  const open = async () => (await aGuest(opine).post('/auth/anonymous/session', { deviceId })).data;
  const [others, own] = [await open(), await open()];
  const maya = { ...(await anAnonymous(opine)), ...clientOf(opine.url, own.accessToken) };
  const session = await verify(maya, aPhone());
  expect(session.user.id).toBe(own.user.id);
  expect(await isAlive(others)).toBe(false);
  expect([await isAlive(own), await isAlive(session)]).toEqual([true, true]);
});

describe('an anonymous user whose phone has a user', () => {
  test('goes into that user, and its own sessions end', async () => {
    const known = await aConfirmed(opine, 'Known');
    const anonymous = await anAnonymous(opine);
    const session = await verify(anonymous, known.phoneNumber);
    expect(session).toMatchObject({
      user: { id: known.id, username: known.username, fullName: 'Known', level: 3 },
      isNewUser: false,
      merged: true,
    });
    expect(await isAlive(anonymous.session)).toBe(false);
    expect(await isAlive(session)).toBe(true);
  });

  test('brings its votes, each kept once, and no pool changes', async () => {
    const author = await aConfirmed(opine);
    const [hers, theirs, both] = [await aSlider(author), await aSlider(author), await aSlider(author)];
    const known = await aConfirmed(opine);
    const anonymous = await aRegistered(opine);
    await castVote(known, hers, 'left');
    await castVote(anonymous, theirs, 'right');
    await castVote(known, both, 'strong_left');
    await castVote(anonymous, both, 'strong_right');

    const merged = clientOf(opine.url, (await verify(anonymous, known.phoneNumber)).accessToken);
    for (const post of [hers, theirs, both]) {
      expect((await myVote(merged, post)).data.hasVoted).toBe(true);
      expect(await castVote(merged, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    }
    expect(await countsOf(merged, hers)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(merged, theirs)).toEqual([0, 0, 0, 1, 0]);
    expect(await countsOf(merged, both)).toEqual([1, 0, 0, 0, 1]);
  });

  test("leaves that user's name as it is, and its own for others to take", async () => {
    const known = await aConfirmed(opine, 'Known');
    const anonymous = await aRegistered(opine, 'Gone');
    const session = await verify(anonymous, known.phoneNumber);
    expect(session.user).toMatchObject({ username: known.username, fullName: 'Known' });
    const other = await anAnonymous(opine);
    const basics = { fullName: 'Other', username: anonymous.username, termsAccepted: true };
    expect((await other.put('/users/me/onboarding/profile-basics', basics)).status).toBe(200);
  });

  test('each time: one person with two installs is one user', async () => {
    const known = await aConfirmed(opine);
    const [one, other] = [await anAnonymous(opine), await anAnonymous(opine)];
    await verify(one, known.phoneNumber);
    const { user, merged } = await verify(other, known.phoneNumber);
    expect({ id: user.id, merged }).toEqual({ id: known.id, merged: true });
    expect(await isAlive(one.session)).toBe(false);
    expect(await isAlive(other.session)).toBe(false);
  });
});

describe('nobody is merged', () => {
  test('without a bearer', async () => {
    const known = await aConfirmed(opine);
    await timePasses(opine, '1 minute');
    await requestOtp(aGuest(opine), known.phoneNumber);
    expect((await enterCode(aGuest(opine), known.phoneNumber)).data.merged).toBe(false);
  });

  test('who has a phone already: the code opens the other account', async () => {
    const [amara, jonas] = [await aConfirmed(opine, 'Amara'), await aConfirmed(opine, 'Jonas')];
    const session = await verify(amara, jonas.phoneNumber);
    expect(session).toMatchObject({ user: { id: jonas.id }, isNewUser: false, merged: false });
    const fresh = await verify(amara, aPhone());
    expect(fresh).toMatchObject({ isNewUser: true, merged: false });
    expect(fresh.user.id).not.toBe(amara.id);
    expect(await isAlive(amara.session)).toBe(true);
  });

  test('by a bearer that is no good', async () => {
    const phoneNumber = aPhone();
    await requestOtp(aGuest(opine), phoneNumber);
    const { status, data } = await enterCode(clientOf(opine.url, 'no.good.token'), phoneNumber);
    expect([status, data.merged, data.isNewUser]).toEqual([200, false, true]);
  });

  test('by a wrong code', async () => {
    const anonymous = await aRegistered(opine);
    const phoneNumber = aPhone();
    await requestOtp(anonymous, phoneNumber);
    expect((await enterCode(anonymous, phoneNumber, '0000')).status).toBe(400);
    expect((await anonymous.get('/users/me/onboarding/status')).data.phoneConfirmed).toBe(false);
    expect(await isAlive(anonymous.session)).toBe(true);
  });
});

describe('at the same time', () => {
  test('as votes of the anonymous user: what was counted is a vote of the merged one', async () => {
    const author = await aConfirmed(opine);
    const posts = await Promise.all(Array.from({ length: 15 }, () => aSlider(author)));
    const known = await aConfirmed(opine);
    const anonymous = await aRegistered(opine);
    const [session, ...votes] = await Promise.all([
      verify(anonymous, known.phoneNumber),
      ...posts.map((post) => castVote(anonymous, post)),
    ]);
    const merged = clientOf(opine.url, session.accessToken);
    for (const [index, post] of posts.entries()) {
      const isCounted = votes[index]?.status === 201;
      expect([201, 401]).toContain(votes[index]?.status);
      expect((await myVote(merged, post)).data.hasVoted).toBe(isCounted);
      expect(await countsOf(merged, post)).toEqual(isCounted ? [0, 1, 0, 0, 0] : []);
    }
  });

  test('with two new phones: one is of the anonymous user, the other of a new one', async () => {
    const anonymous = await aRegistered(opine);
    const phones = [aPhone(), aPhone()];
    await Promise.all(phones.map((phoneNumber) => requestOtp(anonymous, phoneNumber)));
    const verified = await Promise.all(phones.map((phoneNumber) => enterCode(anonymous, phoneNumber)));
    expect(verified.map(({ status }) => status)).toEqual([200, 200]);
    expect(verified.filter(({ data }) => data.user.id === anonymous.id)).toHaveLength(1);
    expect(verified.filter(({ data }) => data.merged)).toHaveLength(1);
  });

  test('by two who verify one new phone: one signs in', async () => {
    const [one, other] = [await anAnonymous(opine), await anAnonymous(opine)];
    const phoneNumber = aPhone();
    await requestOtp(one, phoneNumber);
    const verified = await Promise.all([enterCode(one, phoneNumber), enterCode(other, phoneNumber)]);
    expect(verified.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
