import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { granted, NOBODY } from '../support/graph.ts';
import { requestChange } from '../support/hub-worlds.ts';
import { aHub, aMemberOf, type Hub, hubSeenBy, requestHub } from '../support/hubs.ts';
import { hubsOf } from '../support/invitations.ts';
import { aHubReady, anAnonymous, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, aSent, everythingIn, fetched, type Purpose, photoUrlOf } from '../support/uploads.ts';
import { expectOnceWorked } from '../support/worker.ts';

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

const uploadPhoto = (person: Client, purpose: Purpose = 'hub_photo') => anUpload(person, picture, purpose);
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const isStored = async (photo: Json) =>
  (await everythingIn(opine.storage)).includes(`photos/${photo.assetId}`);

describe('the photo of a Hub', () => {
  /** Creates a Hub of Amara with a photo. */
  async function hubWithPhoto(): Promise<{ amara: Person; photo: Json; hub: Json }> {
    const amara = await aHubReady(opine, 'Amara');
    const photo = await uploadPhoto(amara);
    return { amara, photo, hub: await aHub(amara, { profileAssetId: photo.assetId }) };
  }

  const setPhoto = (person: Client, hub: Hub, photo: Json | null) =>
    requestChange(person, hub, { profileAssetId: photo?.assetId ?? null });
  const UNKNOWN = refusal(422, 'VALIDATION_FAILED', {
    issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }],
  });

  test('everybody sees the photo', async () => {
    const { amara, photo, hub } = await hubWithPhoto();
    for (const viewer of [amara, await anAnonymous(opine)])
      expect((await hubSeenBy(viewer, hub)).profilePhotoUrl).toBe(urlOf(photo));
    expect((await fetched(urlOf(photo))).status).toBe(200);
  });

  test('a replaced or removed photo is deleted', async () => {
    const { amara, photo, hub } = await hubWithPhoto();
    const next = await uploadPhoto(amara);
    expect(await granted(setPhoto(amara, hub, next))).toEqual({ ...hub, profilePhotoUrl: urlOf(next) });
    await expectOnceWorked(opine, () => isStored(photo)).toBe(false);
    expect(await granted(setPhoto(amara, hub, null))).toEqual({ ...hub, profilePhotoUrl: null });
    await expectOnceWorked(opine, () => isStored(next)).toBe(false);
    expect((await granted(setPhoto(amara, hub, null))).profilePhotoUrl).toBeNull();
  });

  test('another admin keeps the photo by its id or replaces it', async () => {
    const { amara, photo, hub } = await hubWithPhoto();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    const fields = { name: 'Oak Street', profileAssetId: photo.assetId };
    expect((await granted(requestChange(jonas, hub, fields))).profilePhotoUrl).toBe(urlOf(photo));
    const his = await uploadPhoto(jonas);
    expect((await granted(setPhoto(jonas, hub, his))).profilePhotoUrl).toBe(urlOf(his));
    await expectOnceWorked(opine, () => isStored(photo)).toBe(false);
    expect((await fetched(urlOf(his))).status).toBe(200);
  });

  test.each<[string, (uploader: Person) => Promise<Json>]>([
    ['an unknown asset', async () => ({ assetId: NOBODY.id })],
    ['a photo of another person', async () => uploadPhoto(await aHubReady(opine))],
    ['a profile photo', (uploader) => uploadPhoto(uploader, 'profile_photo')],
    ['a post image', (uploader) => uploadPhoto(uploader, 'post_image')],
    [
      'an incomplete upload',
      async (uploader) => ({ assetId: (await aSent(uploader, picture, 'hub_photo')).uploadId }),
    ],
  ])('the service rejects %s as Hub photo', async (_, uploadedBy) => {
    const { amara, photo, hub } = await hubWithPhoto();
    const other = await uploadedBy(amara);
    const fields = { profileAssetId: other.assetId, customLink: 'not-with-that-photo' };
    expect(await requestHub(amara, fields)).toMatchObject(UNKNOWN);
    expect(await requestChange(amara, hub, { name: 'Oak', profileAssetId: other.assetId })).toMatchObject(
      UNKNOWN,
    );
    expect(await hubSeenBy(amara, hub)).toMatchObject({
      name: 'Elm Street',
      profilePhotoUrl: urlOf(photo),
    });
    expect(await hubsOf(amara)).toHaveLength(1);
  });

  test('a photo of two Hubs stays until both replaced it', async () => {
    const { amara, photo, hub } = await hubWithPhoto();
    const other = await aHub(amara, { profileAssetId: photo.assetId });
    const [next, last] = [await uploadPhoto(amara), await uploadPhoto(amara)];
    await granted(setPhoto(amara, hub, next));
    await granted(setPhoto(amara, hub, last));
    await expectOnceWorked(opine, () => isStored(next)).toBe(false);
    expect((await fetched(urlOf(photo))).status).toBe(200);
    await granted(setPhoto(amara, other, null));
    await expectOnceWorked(opine, () => isStored(photo)).toBe(false);
  });

  test('profilePhotoUrl works or is null after the uploader deleted their account', async () => {
    const { amara, hub } = await hubWithPhoto();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    await granted(amara.delete('/users/me'));
    await untilGone(opine, amara.id);
    const { profilePhotoUrl } = await hubSeenBy(jonas, hub);
    if (profilePhotoUrl !== null) expect((await fetched(profilePhotoUrl)).status).toBe(200);
  });
});
