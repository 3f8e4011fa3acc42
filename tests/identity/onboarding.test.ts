import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aPhone, aRegistered, signIn } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { castVote } from '../support/votes.ts';

let opine: Opine;
let count = 0;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const statusOf = async (person: Client) => (await person.get('/users/me/onboarding/status')).data;
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

/** `person` with a verified phone; the session goes on. */
async function verifyPhone(person: Client): Promise<void> {
  const phoneNumber = aPhone();
  await requestOtp(person, phoneNumber);
  const { status } = await enterCode(person, phoneNumber);
  expect(status).toBe(200);
}

/** What is open, from what is done. */
function onboarding(done: { basics?: boolean; media?: boolean; phone?: boolean }, level: number): Json {
  const { basics = false, media = false, phone = false } = done;
  const open = [basics || 'profile_basics', media || 'media', phone || 'phone', 'contacts'];
  return {
    profileBasics: basics,
    mediaCompleted: media,
    phoneConfirmed: phone,
    contactsSynced: false,
    contactsSyncedAt: null,
    level,
    completed: false,
    nextStep: open.find((step) => step !== true),
  };
}

describe('somebody climbs', () => {
  test('from the app to a profile to a phone', async () => {
    const maya = await anAnonymous(opine);
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

  test('with the phone first', async () => {
    const maya = clientOf(opine.url, (await signIn(opine, aPhone())).accessToken);
    expect(await statusOf(maya)).toEqual(onboarding({ phone: true }, 1));
    expect((await saveBasics(maya)).data).toEqual({
      nextStep: 'media',
      status: onboarding({ basics: true, phone: true }, 2),
    });
    expect((await saveMedia(maya, { profileAssetId: null })).data).toMatchObject({
      nextStep: 'contacts',
      status: onboarding({ basics: true, media: true, phone: true }, 3),
    });
  });

  test('with the phone in between', async () => {
    const maya = await anAnonymous(opine);
    await saveBasics(maya);
    await verifyPhone(maya);
    expect(await statusOf(maya)).toEqual(onboarding({ basics: true, phone: true }, 2));
    await saveMedia(maya);
    expect(await statusOf(maya)).toEqual(onboarding({ basics: true, media: true, phone: true }, 3));
  });

  test('to the end once contacts are synced', async () => {
    const maya = await aConfirmed(opine);
    await sql`update app.users set contacts_synced_at = app.now() where id = ${maya.id}`.execute(
      opine.database.superuser,
    );
    expect(await statusOf(maya)).toMatchObject({
      contactsSynced: true,
      contactsSyncedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      level: 4,
      completed: true,
      nextStep: null,
    });
  });

  test('and the media step answers with the profile', async () => {
    const maya = await anAnonymous(opine);
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
    // docs/product.md P9: the own profile is the public one and more.
    expect(profile).toMatchObject({
      counts: { followers: 0, following: 0 },
      activity: { posts: 0, reposts: 0, comments: 0, votes: 0 },
      adminHubs: [],
    });
  });
});

describe('who lacks a level is told which, their own, and the next step', () => {
  const refused = (requiredLevel: number, level: number, nextStep: string) =>
    refusal(403, 'FORBIDDEN', { requiredLevel, level, nextStep });
  const aPostBy = (person: Client, fields: object = {}) =>
    person.post('/posts', { thoughtText: 'So it is.', visibility: 'public', ...fields });

  test('1: votes', async () => {
    const post = await aSlider(await aConfirmed(opine));
    expect(await castVote(await anAnonymous(opine), post)).toMatchObject(refused(2, 1, 'profile_basics'));
    const withPhone = clientOf(opine.url, (await signIn(opine, aPhone())).accessToken);
    expect(await castVote(withPhone, post)).toMatchObject(refused(2, 1, 'profile_basics'));
  });

  test('1 or 2: posts', async () => {
    const maya = await anAnonymous(opine);
    expect(await aPostBy(maya)).toMatchObject(refused(3, 1, 'profile_basics'));
    await saveBasics(maya);
    expect(await aPostBy(maya)).toMatchObject(refused(3, 2, 'media'));
    await saveMedia(maya);
    expect(await aPostBy(maya)).toMatchObject(refused(3, 2, 'phone'));
    await verifyPhone(maya);
    expect((await aPostBy(maya)).status).toBe(201);
  });

  test('3: posts to a hub', async () => {
    const hubIds = ['01990000-0000-7000-8000-000000000001'];
    for (const visibility of ['public_hub', 'private_locked_hub']) {
      const reply = await aPostBy(await aConfirmed(opine), { visibility, hubIds });
      expect(reply).toMatchObject(refused(4, 3, 'contacts'));
    }
  });
});

describe('a handle', () => {
  const take = (person: Client, username: string) => saveBasics(person, { username });

  test('is taken by one person at a time', async () => {
    const amara = await aRegistered(opine, 'Amara');
    const other = await anAnonymous(opine);
    expect(await take(other, amara.username)).toMatchObject(refusal(409, 'HANDLE_TAKEN'));
    expect((await statusOf(other)).profileBasics).toBe(false);
  });

  test('that two take at once goes to one', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => anAnonymous(opine)));
    const statuses = await Promise.all(people.map((person) => take(person, 'wanted_by_all')));
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  test('is kept by saving it again, and free for others once changed', async () => {
    const [amara, other] = [await anAnonymous(opine), await anAnonymous(opine)];
    expect((await take(amara, 'first_name_of')).status).toBe(200);
    expect((await take(amara, 'first_name_of')).status).toBe(200);
    expect((await take(amara, 'second_name_of')).status).toBe(200);
    expect((await take(other, 'first_name_of')).status).toBe(200);
    expect((await take(amara, 'first_name_of')).status).toBe(409);
  });

  test.each(['abc', 'a_1', '___', '123', 'a'.repeat(30)])('may be "%s"', async (username) => {
    expect((await take(await anAnonymous(opine), username)).status).toBe(200);
  });

  test.each(['', 'ab', 'a'.repeat(31), 'Maya', '@maya', 'ma ya', 'maya\n', 'mäya', 'may-a', 'ｍａｙａ'])(
    'may not be %j',
    async (username) => {
      expect(await take(await anAnonymous(opine), username)).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['username'] }] }),
      );
    },
  );
});

describe('profile basics', () => {
  test.each([
    ['terms not accepted', { termsAccepted: false }, 'termsAccepted'],
    ['terms left out', { termsAccepted: undefined }, 'termsAccepted'],
    ['no name', { fullName: undefined }, 'fullName'],
    ['a name of one character', { fullName: '👍' }, 'fullName'],
    ['a name of one character in white space', { fullName: ' M  ' }, 'fullName'],
    ['a name of 81', { fullName: '👍'.repeat(81) }, 'fullName'],
    ['no handle', { username: undefined }, 'username'],
  ])('are refused with %s', async (_, fields, field) => {
    const maya = await anAnonymous(opine);
    expect(await saveBasics(maya, fields)).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] }),
    );
    expect((await statusOf(maya)).profileBasics).toBe(false);
  });

  test.each(['Ma', '👍👍', '👍'.repeat(80)])('take the name %s', async (fullName) => {
    expect((await saveBasics(await anAnonymous(opine), { fullName })).status).toBe(200);
  });

  test('with the current version of the terms are saved', async () => {
    const { termsVersion } = (await aGuest(opine).get('/auth/login-config')).data.legal;
    expect((await saveBasics(await anAnonymous(opine), { termsVersion })).status).toBe(200);
  });

  test('with another version of the terms are refused', async () => {
    expect(await saveBasics(await anAnonymous(opine), { termsVersion: '2026-01' })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['termsVersion'], code: 'not_current' }] }),
    );
  });

  test('are what others see of their owner, from then on and as they change', async () => {
    const author = await aConfirmed(opine, 'Before');
    const post = await aSlider(author);
    await saveBasics(author, { fullName: 'After', username: 'after_change' });
    const { data } = await aGuest(opine).get(`/posts/${post.id}`);
    expect(data.author).toEqual({
      id: author.id,
      username: 'after_change',
      name: 'After',
      profilePhotoUrl: null,
      isAnonymous: false,
    });
  });
});

test('onboarding is of whoever is signed in', async () => {
  const guest = aGuest(opine);
  const calls = [guest.get('/users/me/onboarding/status'), saveBasics(guest), saveMedia(guest)];
  for (const reply of await Promise.all(calls)) expect(reply).toMatchObject(refusal(401, 'UNAUTHORIZED'));
});
