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

const aPhoto = (person: Client) => anUpload(person, picture);
const profileOf = async (person: Client, place: Place): Promise<Json> =>
  (await person.get(`/users/me/${place}`)).data;
const change = (person: Client, place: Place, photo: Json | null): Promise<Reply> =>
  person.patch(`/users/me/${place}`, { profileAssetId: photo?.assetId ?? null });
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const lies = async (photo: Json) => (await everythingIn(opine.storage)).includes(`photos/${photo.assetId}`);

/** `person` shows `photo` there, or none. */
async function show(person: Client, place: Place, photo: Json | null): Promise<Json> {
  const { status, data } = await change(person, place, photo);
  expect(status).toBe(200);
  return data;
}

/** The photo's object goes within seconds; the asset has gone already. */
async function expectGone(person: Client, photo: Json): Promise<void> {
  expect(await requestDownload(person, photo.assetId)).toMatchObject(NOT_FOUND);
  await expectOnceWorked(opine, () => lies(photo)).toBe(false);
}

/** Waits until what was to go before is gone, as is what goes only now. */
async function untilTheWorkerWasHere(): Promise<void> {
  const person = await aHubReady(opine);
  const photo = await aPhoto(person);
  await show(person, 'profile', photo);
  await show(person, 'profile', null);
  await expectGone(person, photo);
}

describe('the photo of a hub-profile', () => {
  test('is one of its own', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const photo = await aPhoto(amara);
    const shown = await show(amara, 'hub-profile', photo);
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

  test('is none where only the profile has one', async () => {
    const amara = await aHubReady(opine);
    await show(amara, 'profile', await aPhoto(amara));
    const none = { profilePhotoUrl: null, profileAssetId: null };
    expect(await profileOf(amara, 'hub-profile')).toMatchObject(none);
  });

  test('shows itself to no stranger by its id', async () => {
    const amara = await aHubReady(opine);
    const photo = await aPhoto(amara);
    await show(amara, 'hub-profile', photo);
    expect(await requestDownload(await anAnonymous(opine), photo.assetId)).toMatchObject(NOT_FOUND);
    expect((await requestDownload(amara, photo.assetId)).status).toBe(200);
  });

  test.each(['replaced', 'removed'])('that is %s is gone', async (how) => {
    const amara = await aHubReady(opine);
    const photo = await aPhoto(amara);
    await show(amara, 'hub-profile', photo);
    await show(amara, 'hub-profile', how === 'removed' ? null : await aPhoto(amara));
    await expectGone(amara, photo);
  });
});

describe('one photo for both', () => {
  test.each<[Place, Place]>([
    ['profile', 'hub-profile'],
    ['hub-profile', 'profile'],
  ])('stays when the %s takes another, until the %s does', async (first, second) => {
    const amara = await aHubReady(opine);
    const photo = await aPhoto(amara);
    await show(amara, 'profile', photo);
    await show(amara, 'hub-profile', photo);
    await show(amara, first, await aPhoto(amara));
    await untilTheWorkerWasHere();
    expect((await fetched(urlOf(photo))).status).toBe(200);
    expect((await requestDownload(amara, photo.assetId)).status).toBe(200);
    await show(amara, second, null);
    await expectGone(amara, photo);
  });

  test('is never shown and gone, where one takes it while the other drops it', async () => {
    const races = Array.from({ length: 8 }, async () => {
      const amara = await aHubReady(opine);
      const photo = await aPhoto(amara);
      await show(amara, 'profile', photo);
      const [, taken] = await Promise.all([
        show(amara, 'profile', null),
        change(amara, 'hub-profile', photo),
      ]);
      return { amara, photo, taken };
    });
    const raced = await Promise.all(races);
    await untilTheWorkerWasHere();
    for (const { amara, photo, taken } of raced) {
      expect([200, 422]).toContain(taken.status);
      const isTaken = taken.status === 200;
      const { profileAssetId } = await profileOf(amara, 'hub-profile');
      expect(profileAssetId).toBe(isTaken ? photo.assetId : null);
      expect(await lies(photo)).toBe(isTaken);
    }
  });
});
