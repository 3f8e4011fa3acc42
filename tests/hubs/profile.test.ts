import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { found, granted, profileSeenBy } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered } from '../support/people.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const PATH = '/users/me/hub-profile';
const hubProfileOf = (person: Client): Promise<Json> => granted(person.get(PATH));
const requestChange = (person: Client, fields: unknown) => person.patch(PATH, fields);

describe('the Hub profile', () => {
  test('the display name is the public name until the owner sets one', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
    const profile = { profilePhotoUrl: null, phoneNumber: amara.phoneNumber, profileAssetId: null };
    expect(await hubProfileOf(amara)).toEqual({ ...profile, displayName: 'Amara Okafor' });
    await granted(amara.patch('/users/me/profile', { fullName: 'Amara O.' }));
    expect(await hubProfileOf(amara)).toEqual({ ...profile, displayName: 'Amara O.' });
  });

  test('the display name stays when the public name changes', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
    const data = await granted(requestChange(amara, { displayName: 'Night Owl' }));
    expect(data).toEqual({
      displayName: 'Night Owl',
      profilePhotoUrl: null,
      phoneNumber: amara.phoneNumber,
      profileAssetId: null,
    });
    await granted(amara.patch('/users/me/profile', { fullName: 'Amara O.' }));
    expect(await hubProfileOf(amara)).toEqual(data);
    expect((await granted(requestChange(amara, { displayName: 'Early Bird' }))).displayName).toBe(
      'Early Bird',
    );
  });

  test('a display name changes neither the public profile, posts nor search', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
    const post = await aSlider(amara);
    const before = await profileSeenBy(aGuest(opine), amara);
    await granted(requestChange(amara, { displayName: 'Zebedee Quartz' }));
    expect(await profileSeenBy(aGuest(opine), amara)).toEqual(before);
    expect((await seenBy(aGuest(opine), post)).author.name).toBe('Amara Okafor');
    expect((await granted(amara.get('/users/me/profile'))).name).toBe('Amara Okafor');
    for (const viewer of [aGuest(opine), amara]) expect(await found(viewer, 'zebedee')).toEqual([]);
  });

  test('a person cannot read the Hub profile of another person', async () => {
    const [amara, jonas] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Jonas')];
    await granted(requestChange(amara, { displayName: 'Night Owl' }));
    expect(await hubProfileOf(jonas)).toMatchObject({ displayName: 'Jonas', phoneNumber: jonas.phoneNumber });
    expect((await jonas.get(`/users/${amara.id}/hub-profile`)).status).toBe(404);
  });
});

describe('the display name', () => {
  test.each(['Al', '👍'.repeat(80), "O'Brien \\ 100% <b>"])('the service accepts %j', async (displayName) => {
    const amara = await aHubReady(opine);
    expect((await granted(requestChange(amara, { displayName }))).displayName).toBe(displayName);
    expect((await hubProfileOf(amara)).displayName).toBe(displayName);
  });

  test.each(['', 'A', ' A ', '👍'.repeat(81), null, 7, 'No\u0000t'])(
    'the service rejects %j',
    async (displayName) => {
      const amara = await aHubReady(opine, 'Amara');
      expect(await requestChange(amara, { displayName })).toMatchObject(
        refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['displayName'] }] }),
      );
      expect((await hubProfileOf(amara)).displayName).toBe('Amara');
    },
  );
});

describe('PATCH /users/me/hub-profile', () => {
  test('an empty body and unknown fields are 422', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const others = [{}, { phoneNumber: '+12025550000' }, { displayName: 'Owl', fullName: 'Owl' }];
    for (const fields of others) {
      expect(await requestChange(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect((await hubProfileOf(amara)).displayName).toBe('Amara');
  });

  test('the removal of a missing photo succeeds', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const data = await granted(requestChange(amara, { profileAssetId: null }));
    expect(data).toMatchObject({ displayName: 'Amara', profileAssetId: null, profilePhotoUrl: null });
  });

  test('an unknown photo is 422 and changes nothing', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const profileAssetId = '01990000-0000-7000-8000-00000000dead';
    expect(await requestChange(amara, { profileAssetId, displayName: 'Owl' })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }] }),
    );
    expect((await hubProfileOf(amara)).displayName).toBe('Amara');
  });
});

describe('access to the Hub profile', () => {
  test.for([
    [1, anAnonymous, 'profile_basics'],
    [2, aRegistered, 'media'],
    [3, aConfirmed, 'contacts'],
  ] as const)(
    'a caller of level %i can neither read nor change the own Hub profile',
    async ([level, somebody, nextStep]) => {
      const person = await somebody(opine);
      const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep });
      expect(await person.get(PATH)).toMatchObject(refused);
      expect(await requestChange(person, { displayName: 'Night Owl' })).toMatchObject(refused);
    },
  );

  test('a guest and a signed-out caller get 401', async () => {
    const amara = await aHubReady(opine);
    await logOut(opine, amara.session);
    for (const caller of [aGuest(opine), amara]) {
      expect(await caller.get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await requestChange(caller, { displayName: 'Owl' })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });
});
