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
const own = (person: Client): Promise<Json> => granted(person.get(PATH));
const change = (person: Client, fields: unknown) => person.patch(PATH, fields);

describe('who somebody is in Hubs', () => {
  test('is who they are in public and their phone, until they say otherwise', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
    const profile = { profilePhotoUrl: null, phoneNumber: amara.phoneNumber, profileAssetId: null };
    expect(await own(amara)).toEqual({ ...profile, displayName: 'Amara Okafor' });
    await granted(amara.patch('/users/me/profile', { fullName: 'Amara O.' }));
    expect(await own(amara)).toEqual({ ...profile, displayName: 'Amara O.' });
  });

  test('is a name of its own once there is one', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
    const data = await granted(change(amara, { displayName: 'Night Owl' }));
    expect(data).toEqual({
      displayName: 'Night Owl',
      profilePhotoUrl: null,
      phoneNumber: amara.phoneNumber,
      profileAssetId: null,
    });
    await granted(amara.patch('/users/me/profile', { fullName: 'Amara O.' }));
    expect(await own(amara)).toEqual(data);
    expect((await granted(change(amara, { displayName: 'Early Bird' }))).displayName).toBe('Early Bird');
  });

  test('changes nothing of who they are in public', async () => {
    const amara = await aHubReady(opine, 'Amara Okafor');
    const post = await aSlider(amara);
    const before = await profileSeenBy(aGuest(opine), amara);
    await granted(change(amara, { displayName: 'Zebedee Quartz' }));
    expect(await profileSeenBy(aGuest(opine), amara)).toEqual(before);
    expect((await seenBy(aGuest(opine), post)).author.name).toBe('Amara Okafor');
    expect((await granted(amara.get('/users/me/profile'))).name).toBe('Amara Okafor');
    for (const viewer of [aGuest(opine), amara]) expect(await found(viewer, 'zebedee')).toEqual([]);
  });

  test('is their own matter', async () => {
    const [amara, jonas] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Jonas')];
    await granted(change(amara, { displayName: 'Night Owl' }));
    expect(await own(jonas)).toMatchObject({ displayName: 'Jonas', phoneNumber: jonas.phoneNumber });
    expect((await jonas.get(`/users/${amara.id}/hub-profile`)).status).toBe(404);
  });
});

describe('a name in Hubs', () => {
  test.each(['Al', '👍'.repeat(80), "O'Brien \\ 100% <b>"])('may be %j', async (displayName) => {
    const amara = await aHubReady(opine);
    expect((await granted(change(amara, { displayName }))).displayName).toBe(displayName);
    expect((await own(amara)).displayName).toBe(displayName);
  });

  test.each(['', 'A', ' A ', '👍'.repeat(81), null, 7, 'No\u0000t'])('may not be %j', async (displayName) => {
    const amara = await aHubReady(opine, 'Amara');
    expect(await change(amara, { displayName })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['displayName'] }] }),
    );
    expect((await own(amara)).displayName).toBe('Amara');
  });
});

describe('a change', () => {
  test('has a field at least, and none that nobody knows', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const others = [{}, { phoneNumber: '+12025550000' }, { displayName: 'Owl', fullName: 'Owl' }];
    for (const fields of others) {
      expect(await change(amara, fields)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect((await own(amara)).displayName).toBe('Amara');
  });

  test('may take away a photo that is not there', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const data = await granted(change(amara, { profileAssetId: null }));
    expect(data).toMatchObject({ displayName: 'Amara', profileAssetId: null, profilePhotoUrl: null });
  });

  test('to a photo that nobody uploaded is refused', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const profileAssetId = '01990000-0000-7000-8000-00000000dead';
    expect(await change(amara, { profileAssetId, displayName: 'Owl' })).toMatchObject(
      refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }] }),
    );
    expect((await own(amara)).displayName).toBe('Amara');
  });
});

describe('nobody is anybody in Hubs', () => {
  test.for([
    [1, anAnonymous, 'profile_basics'],
    [2, aRegistered, 'media'],
    [3, aConfirmed, 'contacts'],
  ] as const)('of level %i', async ([level, somebody, nextStep]) => {
    const person = await somebody(opine);
    const refused = refusal(403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep });
    expect(await person.get(PATH)).toMatchObject(refused);
    expect(await change(person, { displayName: 'Night Owl' })).toMatchObject(refused);
  });

  test('who is not signed in, or no longer', async () => {
    const amara = await aHubReady(opine);
    await logOut(opine, amara.session);
    for (const caller of [aGuest(opine), amara]) {
      expect(await caller.get(PATH)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
      expect(await change(caller, { displayName: 'Owl' })).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });
});
