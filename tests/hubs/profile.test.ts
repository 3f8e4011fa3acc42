import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, expectOk, type Json, type Reply, refusal } from '../support/client.ts';
import { profileSeenBy, searchUsers } from '../support/graph.ts';
import { aGuest, anonymousPerson, hubReadyPerson } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, fetchFile, photoUrlOf, requestDownload, storedKeys } from '../support/uploads.ts';
import { expectAfterWorker } from '../support/worker.ts';

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

const PATH = '/users/me/hub-profile';
const hubProfileOf = (person: Client): Promise<Json> => expectOk(person.get(PATH));
const requestChange = (person: Client, fields: unknown) => person.patch(PATH, fields);
const NOT_FOUND = refusal(404, 'ASSET_NOT_FOUND');
type Place = 'profile' | 'hub-profile';
const uploadPhoto = (person: Client) => anUpload(person, picture);

const profileOf = async (person: Client, place: Place): Promise<Json> =>
  (await person.get(`/users/me/${place}`)).data;

const requestPhoto = (person: Client, place: Place, photo: Json | null): Promise<Reply> =>
  person.patch(`/users/me/${place}`, { profileAssetId: photo?.assetId ?? null });

const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const isStored = async (photo: Json) => (await storedKeys(opine.storage)).includes(`photos/${photo.assetId}`);

/** Sets or removes the photo of a profile of `person`; returns the profile. */
async function setPhoto(person: Client, place: Place, photo: Json | null): Promise<Json> {
  const { status, data } = await requestPhoto(person, place, photo);
  expect(status).toBe(200);
  return data;
}

/** Expects the asset to be 404 now and its object to be deleted by the worker. */
async function expectDeleted(person: Client, photo: Json): Promise<void> {
  expect(await requestDownload(person, photo.assetId)).toMatchObject(NOT_FOUND);
  await expectAfterWorker(opine, () => isStored(photo)).toBe(false);
}

/** Waits until the worker has deleted a photo that was removed just now, and hence all earlier ones. */
async function waitForWorker(): Promise<void> {
  const person = await hubReadyPerson(opine);
  const photo = await uploadPhoto(person);
  await setPhoto(person, 'profile', photo);
  await setPhoto(person, 'profile', null);
  await expectDeleted(person, photo);
}

describe('the Hub profile', () => {
  // docs/product.md P12
  test('the display name stays when the public name changes', async () => {
    const amara = await hubReadyPerson(opine, 'Amara Okafor');
    const data = await expectOk(requestChange(amara, { displayName: 'Night Owl' }));
    expect(data).toEqual({
      displayName: 'Night Owl',
      profilePhotoUrl: null,
      phoneNumber: amara.phoneNumber,
      profileAssetId: null,
    });
    await expectOk(amara.patch('/users/me/profile', { fullName: 'Amara O.' }));
    expect(await hubProfileOf(amara)).toEqual(data);
    expect((await expectOk(requestChange(amara, { displayName: 'Early Bird' }))).displayName).toBe(
      'Early Bird',
    );
  });

  // docs/product.md P12
  test('a display name changes neither the public profile, posts nor search', async () => {
    const amara = await hubReadyPerson(opine, 'Amara Okafor');
    const post = await aSlider(amara);
    const before = await profileSeenBy(aGuest(opine), amara);
    await expectOk(requestChange(amara, { displayName: 'Zebedee Quartz' }));
    expect(await profileSeenBy(aGuest(opine), amara)).toEqual(before);
    expect((await seenBy(aGuest(opine), post)).author.name).toBe('Amara Okafor');
    expect((await expectOk(amara.get('/users/me/profile'))).name).toBe('Amara Okafor');
    for (const viewer of [aGuest(opine), amara]) expect(await searchUsers(viewer, 'zebedee')).toEqual([]);
  });
});

describe('the Hub photo of a person', () => {
  test('the Hub profile shows its photo and the public profile does not', async () => {
    const amara = await hubReadyPerson(opine, 'Amara');
    const photo = await uploadPhoto(amara);
    const shown = await setPhoto(amara, 'hub-profile', photo);
    expect(shown).toEqual({
      displayName: 'Amara',
      profilePhotoUrl: urlOf(photo),
      phoneNumber: amara.phoneNumber,
      profileAssetId: photo.assetId,
    });
    expect(await profileOf(amara, 'hub-profile')).toEqual(shown);
    expect((await profileOf(amara, 'profile')).profilePhotoUrl).toBeNull();
    expect((await fetchFile(urlOf(photo))).bytes).toEqual(picture);
  });

  // docs/product.md P12
  test('a non-member cannot download a Hub photo by its id', async () => {
    const amara = await hubReadyPerson(opine);
    const photo = await uploadPhoto(amara);
    await setPhoto(amara, 'hub-profile', photo);
    expect(await requestDownload(await anonymousPerson(opine), photo.assetId)).toMatchObject(NOT_FOUND);
    expect((await requestDownload(amara, photo.assetId)).status).toBe(200);
  });

  test.each(['replaced', 'removed'])('a %s Hub photo is deleted', async (how) => {
    const amara = await hubReadyPerson(opine);
    const photo = await uploadPhoto(amara);
    await setPhoto(amara, 'hub-profile', photo);
    await setPhoto(amara, 'hub-profile', how === 'removed' ? null : await uploadPhoto(amara));
    await expectDeleted(amara, photo);
  });
});

describe('one photo for both profiles', () => {
  test('a photo is not deleted if one profile takes it while the other removes it', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const amara = await hubReadyPerson(opine);
      const photo = await uploadPhoto(amara);
      await setPhoto(amara, 'profile', photo);
      const [, taken] = await Promise.all([
        setPhoto(amara, 'profile', null),
        requestPhoto(amara, 'hub-profile', photo),
      ]);
      return { amara, photo, taken };
    });
    const raced = await Promise.all(races);
    await waitForWorker();
    for (const { amara, photo, taken } of raced) {
      expect([200, 422]).toContain(taken.status);
      const isTaken = taken.status === 200;
      const { profileAssetId } = await profileOf(amara, 'hub-profile');
      expect(profileAssetId).toBe(isTaken ? photo.assetId : null);
      expect(await isStored(photo)).toBe(isTaken);
    }
  });
});
