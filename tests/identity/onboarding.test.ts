import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, newPhoneNumber, registeredPerson } from '../support/people.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

let count = 0;

const statusOf = async (person: Client) => {
  const { snapshot, ...status } = (await person.get('/users/me/onboarding/status')).data;
  expect(snapshot).toBeNull();
  return status;
};
const saveMedia = (person: Client, body: object = {}) => person.put('/users/me/onboarding/media', body);
const saveBasics = (person: Client, fields: object = {}) =>
  person.put('/users/me/onboarding/profile-basics', {
    fullName: 'Maya Lindqvist',
    username: aHandle(),
    termsAccepted: true,
    ...fields,
  });

function aHandle(): string {
  count += 1;
  return `maya_${count}`;
}

/** Verifies a new phone as `person`, whose session continues. */
async function verifyPhone(person: Client): Promise<void> {
  const phoneNumber = newPhoneNumber();
  await requestOtp(person, phoneNumber);
  const { status } = await enterCode(person, phoneNumber);
  expect(status).toBe(200);
}

/** Returns the onboarding status after the steps `done`. */
function onboarding(done: { basics?: boolean; media?: boolean; phone?: boolean }, level: number): Json {
  const { basics = false, media = false, phone = false } = done;
  const openSteps = [basics || 'profile_basics', media || 'media', phone || 'phone', 'contacts'];
  return {
    profileBasics: basics,
    mediaCompleted: media,
    phoneConfirmed: phone,
    contactsSynced: false,
    contactsSyncedAt: null,
    level,
    completed: false,
    nextStep: openSteps.find((step) => step !== true),
  };
}

// docs/product.md O1, O2
test('profile, media and phone steps raise a user from level 1 to 3, each with the next step', async () => {
  const maya = await anonymousPerson(opine);
  expect(await statusOf(maya)).toEqual(onboarding({}, 1));
  expect((await saveBasics(maya)).data).toEqual({
    nextStep: 'media',
    status: onboarding({ basics: true }, 2),
  });
  expect((await saveMedia(maya)).data).toMatchObject({
    nextStep: 'phone',
    status: onboarding({ basics: true, media: true }, 2),
  });
  await verifyPhone(maya);
  expect(await statusOf(maya)).toEqual(onboarding({ basics: true, media: true, phone: true }, 3));
});

// docs/product.md O4
test('the media step answers the own profile', async () => {
  const maya = await anonymousPerson(opine);
  await saveBasics(maya, { fullName: 'Maya Lindqvist', username: 'maya_media' });
  const { profile } = (await saveMedia(maya)).data;
  expect(profile).toMatchObject({
    id: maya.id,
    name: 'Maya Lindqvist',
    fullName: 'Maya Lindqvist',
    username: 'maya_media',
    bio: null,
    profilePhotoUrl: null,
    isAnonymous: false,
    phoneNumber: null,
    level: 2,
    createdAt: expect.any(String),
    editable: { fullName: 'Maya Lindqvist', username: 'maya_media', bio: null, profileAssetId: null },
  });
  expect(profile).toMatchObject({
    counts: { followers: 0, following: 0 },
    activity: { posts: 0, reposts: 0, comments: 0, votes: 0 },
    adminHubs: [],
  });
});

// docs/product.md O3
describe('PUT /users/me/onboarding/profile-basics', () => {
  const take = (person: Client, username: string) => saveBasics(person, { username });

  test('a username of another user gets 409', async () => {
    const amara = await registeredPerson(opine, 'Amara');
    const other = await anonymousPerson(opine);
    expect(await take(other, amara.username)).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
    expect((await statusOf(other)).profileBasics).toBe(false);
  });

  test('the current version of the terms is accepted, and another one gets not_current', async () => {
    const { termsVersion } = (await aGuest(opine).get('/auth/login-config')).data.legal;
    const maya = await anonymousPerson(opine);
    expect(await saveBasics(maya, { termsVersion: '2026-01' })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['termsVersion'], code: 'not_current' }] }),
    );
    expect((await saveBasics(maya, { termsVersion })).status).toBe(200);
  });
});
