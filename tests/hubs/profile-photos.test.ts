import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { aHubReady, anAnonymous } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import type { Reply } from '../support/reply.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, everythingIn, fetched, photoUrlOf, requestDownload } from '../support/uploads.ts';
import { expectOnceWorked } from '../support/worker.ts';

const NOT_FOUND = refusal(404, 'ASSET_NOT_FOUND');

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

type Place = 'profile' | 'hub-profile';

const uploadPhoto = (person: Client) => anUpload(person, picture);
const profileOf = async (person: Client, place: Place): Promise<Json> =>
  (await person.get(`/users/me/${place}`)).data;
const requestPhoto = (person: Client, place: Place, photo: Json | null): Promise<Reply> =>
  person.patch(`/users/me/${place}`, { profileAssetId: photo?.assetId ?? null });
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const isStored = async (photo: Json) =>
  (await everythingIn(opine.storage)).includes(`photos/${photo.assetId}`);

/** Sets or removes the photo of a profile of `person`; returns the profile. */
async function setPhoto(person: Client, place: Place, photo: Json | null): Promise<Json> {
  const { status, data } = await requestPhoto(person, place, photo);
  expect(status).toBe(200);
  return data;
}

/** Expects the asset to be 404 now and its object to be deleted by the worker. */
async function expectDeleted(person: Client, photo: Json): Promise<void> {
  expect(await requestDownload(person, photo.assetId)).toMatchObject(NOT_FOUND);
  await expectOnceWorked(opine, () => isStored(photo)).toBe(false);
}

/** Waits until the worker has deleted a photo that was removed just now, and hence all earlier ones. */
async function waitForWorker(): Promise<void> {
  const person = await aHubReady(opine);
  const photo = await uploadPhoto(person);
  await setPhoto(person, 'profile', photo);
  await setPhoto(person, 'profile', null);
  await expectDeleted(person, photo);
}

describe('the Hub photo of a person', () => {
  test('the Hub profile shows its photo and the public profile does not', async () => {
    const amara = await aHubReady(opine, 'Amara');
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
    expect((await fetched(urlOf(photo))).bytes).toEqual(picture);
  });

  test('the Hub profile has no photo if only the public profile has one', async () => {
    const amara = await aHubReady(opine);
    await setPhoto(amara, 'profile', await uploadPhoto(amara));
    const none = { profilePhotoUrl: null, profileAssetId: null };
    expect(await profileOf(amara, 'hub-profile')).toMatchObject(none);
  });

  test('a non-member cannot download a Hub photo by its id', async () => {
    const amara = await aHubReady(opine);
    const photo = await uploadPhoto(amara);
    await setPhoto(amara, 'hub-profile', photo);
    expect(await requestDownload(await anAnonymous(opine), photo.assetId)).toMatchObject(NOT_FOUND);
    expect((await requestDownload(amara, photo.assetId)).status).toBe(200);
  });

  test.each(['replaced', 'removed'])('a %s Hub photo is deleted', async (how) => {
    const amara = await aHubReady(opine);
    const photo = await uploadPhoto(amara);
    await setPhoto(amara, 'hub-profile', photo);
    await setPhoto(amara, 'hub-profile', how === 'removed' ? null : await uploadPhoto(amara));
    await expectDeleted(amara, photo);
  });
});

describe('one photo for both profiles', () => {
  test.each<[Place, Place]>([
    ['profile', 'hub-profile'],
    ['hub-profile', 'profile'],
  ])('a photo that the %s replaced stays until the %s removes it', async (first, second) => {
    const amara = await aHubReady(opine);
    const photo = await uploadPhoto(amara);
    await setPhoto(amara, 'profile', photo);
    await setPhoto(amara, 'hub-profile', photo);
    await setPhoto(amara, first, await uploadPhoto(amara));
    await waitForWorker();
    expect((await fetched(urlOf(photo))).status).toBe(200);
    expect((await requestDownload(amara, photo.assetId)).status).toBe(200);
    await setPhoto(amara, second, null);
    await expectDeleted(amara, photo);
  });

  test('a photo is not deleted if one profile takes it while the other removes it', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const amara = await aHubReady(opine);
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
