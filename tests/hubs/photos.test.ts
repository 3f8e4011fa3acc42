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

const aPhoto = (person: Client, purpose: Purpose = 'hub_photo') => anUpload(person, picture, purpose);
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const lies = async (photo: Json) => (await everythingIn(opine.storage)).includes(`photos/${photo.assetId}`);

describe('the photo of a Hub', () => {
  /** Amara's Hub, with a photo of hers. */
  async function aPhotographed(): Promise<{ amara: Person; photo: Json; hub: Json }> {
    const amara = await aHubReady(opine, 'Amara');
    const photo = await aPhoto(amara);
    return { amara, photo, hub: await aHub(amara, { profileAssetId: photo.assetId }) };
  }

  const show = (person: Client, hub: Hub, photo: Json | null) =>
    requestChange(person, hub, { profileAssetId: photo?.assetId ?? null });
  const UNKNOWN = refusal(422, 'VALIDATION_FAILED', {
    issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }],
  });

  test('is for everybody to see', async () => {
    const { amara, photo, hub } = await aPhotographed();
    for (const viewer of [amara, await anAnonymous(opine)])
      expect((await hubSeenBy(viewer, hub)).profilePhotoUrl).toBe(urlOf(photo));
    expect((await fetched(urlOf(photo))).status).toBe(200);
  });

  test('that is replaced or removed is gone', async () => {
    const { amara, photo, hub } = await aPhotographed();
    const next = await aPhoto(amara);
    expect(await granted(show(amara, hub, next))).toEqual({ ...hub, profilePhotoUrl: urlOf(next) });
    await expectOnceWorked(opine, () => lies(photo)).toBe(false);
    expect(await granted(show(amara, hub, null))).toEqual({ ...hub, profilePhotoUrl: null });
    await expectOnceWorked(opine, () => lies(next)).toBe(false);
    expect((await granted(show(amara, hub, null))).profilePhotoUrl).toBeNull();
  });

  test('stays as it is where any admin says so, and is replaced by any', async () => {
    const { amara, photo, hub } = await aPhotographed();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    const fields = { name: 'Oak Street', profileAssetId: photo.assetId };
    expect((await granted(requestChange(jonas, hub, fields))).profilePhotoUrl).toBe(urlOf(photo));
    const his = await aPhoto(jonas);
    expect((await granted(show(jonas, hub, his))).profilePhotoUrl).toBe(urlOf(his));
    await expectOnceWorked(opine, () => lies(photo)).toBe(false);
    expect((await fetched(urlOf(his))).status).toBe(200);
  });

  test.each<[string, (own: Person) => Promise<Json>]>([
    ['of nobody', async () => ({ assetId: NOBODY.id })],
    ['of somebody else', async () => aPhoto(await aHubReady(opine))],
    ['of a person', (own) => aPhoto(own, 'profile_photo')],
    ['of an article', (own) => aPhoto(own, 'post_image')],
    ['not completed', async (own) => ({ assetId: (await aSent(own, picture, 'hub_photo')).uploadId })],
  ])('is none %s', async (_, uploadedBy) => {
    const { amara, photo, hub } = await aPhotographed();
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

  test('of two Hubs is there until both have let go of it', async () => {
    const { amara, photo, hub } = await aPhotographed();
    const other = await aHub(amara, { profileAssetId: photo.assetId });
    const [next, last] = [await aPhoto(amara), await aPhoto(amara)];
    await granted(show(amara, hub, next));
    await granted(show(amara, hub, last));
    await expectOnceWorked(opine, () => lies(next)).toBe(false);
    expect((await fetched(urlOf(photo))).status).toBe(200);
    await granted(show(amara, other, null));
    await expectOnceWorked(opine, () => lies(photo)).toBe(false);
  });

  test('is never an address without a photo, also when whoever uploaded it has gone', async () => {
    const { amara, hub } = await aPhotographed();
    const jonas = await aMemberOf(opine, amara, hub, 'Jonas', 'admin');
    await granted(amara.delete('/users/me'));
    await untilGone(opine, amara.id);
    const { profilePhotoUrl } = await hubSeenBy(jonas, hub);
    if (profilePhotoUrl !== null) expect((await fetched(profilePhotoUrl)).status).toBe(200);
  });
});
