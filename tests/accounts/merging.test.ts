import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type Json } from '../support/client.ts';
import { advanceTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  newPhoneNumber,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

/** Verifies a phone as `person`, who is signed in. */
async function verify(person: Person, phoneNumber: string): Promise<Json> {
  await advanceTime(opine, '1 minute');
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

// docs/product.md I14
test('verifying an unknown phone makes an anonymous user the user of that phone, with id, name and votes', async () => {
  const maya = await registeredPerson(opine, 'Maya');
  const post = await aSlider(await confirmedPerson(opine));
  await castVote(maya, post);
  const session = await verify(maya, newPhoneNumber());
  expect(session).toMatchObject({
    user: { id: maya.id, username: maya.username, fullName: 'Maya', isAnonymous: false },
    isNewUser: true,
    merged: true,
  });
  const mayaWithPhone = clientOf(opine.url, session.accessToken);
  expect((await myVote(mayaWithPhone, post)).data.hasVoted).toBe(true);
  expect((await mayaWithPhone.get('/users/me/onboarding/status')).data.phoneConfirmed).toBe(true);
});

// docs/product.md I15
test("verifying a known phone merges an anonymous user into the phone's user and ends its sessions", async () => {
  const known = await confirmedPerson(opine, 'Known');
  const anonymous = await anonymousPerson(opine);
  const session = await verify(anonymous, known.phoneNumber);
  expect(session).toMatchObject({
    user: { id: known.id, username: known.username, fullName: 'Known', level: 3 },
    isNewUser: false,
    merged: true,
  });
  expect(await isAlive(anonymous.session)).toBe(false);
  expect(await isAlive(session)).toBe(true);
});

describe('concurrent requests', () => {
  test("a vote that was counted during a merge is a vote of the phone's user", async () => {
    const author = await confirmedPerson(opine);
    const posts = await Promise.all(Array.from({ length: 15 }, () => aSlider(author)));
    const known = await confirmedPerson(opine);
    const anonymous = await registeredPerson(opine);
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

  test('one of two new phones goes to the anonymous user, the other to a new user', async () => {
    const anonymous = await registeredPerson(opine);
    const phones = [newPhoneNumber(), newPhoneNumber()];
    await Promise.all(phones.map((phoneNumber) => requestOtp(anonymous, phoneNumber)));
    const verified = await Promise.all(phones.map((phoneNumber) => enterCode(anonymous, phoneNumber)));
    expect(verified.map(({ status }) => status)).toEqual([200, 200]);
    expect(verified.filter(({ data }) => data.user.id === anonymous.id)).toHaveLength(1);
    expect(verified.filter(({ data }) => data.merged)).toHaveLength(1);
  });

  test('one of two users who verify a new phone signs in', async () => {
    const [one, other] = [await anonymousPerson(opine), await anonymousPerson(opine)];
    const phoneNumber = newPhoneNumber();
    await requestOtp(one, phoneNumber);
    const verified = await Promise.all([enterCode(one, phoneNumber), enterCode(other, phoneNumber)]);
    expect(verified.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});
