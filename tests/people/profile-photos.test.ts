import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TIMEOUT } from '../support/account-deletions.ts';
import { type Client, type Json, refusal } from '../support/client.ts';
import { allowContacts } from '../support/contacts.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aJpeg, aPng, type Bytes } from '../support/pictures.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import type { Reply } from '../support/reply.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import {
  anUpload,
  aSent,
  downloaded,
  everythingIn,
  fetched,
  type Purpose,
  photoUrlOf,
  requestDownload,
} from '../support/uploads.ts';

const NOWHERE = '01990000-0000-7000-8000-000000000009';
const UNKNOWN_ASSET = refusal(422, 'VALIDATION_FAILED', {
  issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }],
});

let opine: StoringOpine;
let picture: Bytes;

beforeAll(async () => {
  opine = await startStoringOpine();
  picture = await aPng();
});

afterAll(() => opine.stop());

const show = (person: Client, photo: Json | null): Promise<Reply> =>
  person.patch('/users/me/profile', { profileAssetId: photo?.assetId ?? null });
const showInHubs = (person: Client, photo: Json | null): Promise<Reply> =>
  person.patch('/users/me/hub-profile', { profileAssetId: photo?.assetId ?? null });
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const own = async (person: Client): Promise<Json> => (await person.get('/users/me/profile')).data;
const isThere = async (photo: Json) => (await fetched(urlOf(photo))).status === 200;
const lies = async (photo: Json) => (await everythingIn(opine.storage)).includes(`photos/${photo.assetId}`);

/** The photo's object goes within seconds; the asset has gone already. */
async function expectGone(person: Client, photo: Json): Promise<void> {
  expect(await requestDownload(person, photo.assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
  await expect.poll(() => lies(photo), TIMEOUT).toBe(false);
  expect(await isThere(photo)).toBe(false);
}

/** Somebody who is Hub-ready and has a photo in public. */
async function aPhotographed(): Promise<{ person: Person; photo: Json }> {
  const person = await aConfirmed(opine, 'Amara');
  await allowContacts(person);
  const photo = await anUpload(person, picture);
  expect((await show(person, photo)).status).toBe(200);
  return { person, photo };
}

describe('a profile photo', () => {
  test('is set by changing the profile', async () => {
    const maya = await aRegistered(opine);
    const photo = await anUpload(maya, picture);
    const { status, data } = await show(maya, photo);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      profilePhotoUrl: urlOf(photo),
      editable: { profileAssetId: photo.assetId },
    });
    expect(await own(maya)).toEqual(data);
  });

  test('is set by the media step of onboarding', async () => {
    const maya = await aRegistered(opine);
    const photo = await anUpload(maya, picture);
    const body = { profileAssetId: photo.assetId };
    const { status, data } = await maya.put('/users/me/onboarding/media', body);
    expect(status).toBe(200);
    expect(data.status.mediaCompleted).toBe(true);
    expect(data.profile).toMatchObject({ profilePhotoUrl: urlOf(photo), editable: body });
    expect((await own(maya)).profilePhotoUrl).toBe(urlOf(photo));
  });

  test('is for anybody who has its address', async () => {
    const { photo } = await aPhotographed();
    const { status, headers, bytes } = await fetched(urlOf(photo));
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(bytes).toEqual(picture);
  });

  test('stands wherever its owner does', async () => {
    const { person, photo } = await aPhotographed();
    const [viewer, guest] = [await aConfirmed(opine), aGuest(opine)];
    const post = await aSlider(person);
    await person.post(`/users/${viewer.id}/follow`);
    await viewer.post(`/users/${person.id}/follow`);
    const first = async (path: string) =>
      (await viewer.get(path)).data.items.find(({ id }: Json) => id === person.id);
    const feed = (await viewer.get('/posts')).data.items;
    const seen: Record<string, Json> = {
      card: (await seenBy(guest, post)).author,
      feed: feed.find(({ id }: Json) => id === post.id)?.author,
      'by id': (await guest.get(`/users/${person.id}/profile`)).data,
      'by handle': (await guest.get(`/users/by-username/${person.username}`)).data,
      search: await first(`/search/users?q=${person.username}`),
      follower: await first(`/users/${viewer.id}/followers`),
      followed: await first(`/users/${viewer.id}/following`),
    };
    for (const [place, { profilePhotoUrl }] of Object.entries(seen)) {
      expect([place, profilePhotoUrl]).toEqual([place, urlOf(photo)]);
    }
  });

  test('stays when something else is changed', async () => {
    const { person, photo } = await aPhotographed();
    expect((await person.patch('/users/me/profile', { bio: 'Cooks.' })).data.profilePhotoUrl).toBe(
      urlOf(photo),
    );
    expect(await isThere(photo)).toBe(true);
  });

  test('that is set again changes nothing', async () => {
    const { person, photo } = await aPhotographed();
    expect((await show(person, photo)).status).toBe(200);
    const other = await anUpload(person, picture);
    await show(person, other);
    // The worker has been here since.
    await expectGone(person, photo);
    expect((await show(person, other)).data.profilePhotoUrl).toBe(urlOf(other));
    expect(await isThere(other)).toBe(true);
  });

  test('that is replaced is gone', async () => {
    const { person, photo } = await aPhotographed();
    const next = await anUpload(person, await aJpeg());
    expect((await show(person, next)).data.profilePhotoUrl).toBe(urlOf(next));
    await expectGone(person, photo);
    expect(await show(person, photo)).toMatchObject(UNKNOWN_ASSET);
    expect((await downloaded(person, next)).status).toBe(200);
  });

  test('that is removed is gone', async () => {
    const { person, photo } = await aPhotographed();
    const { status, data } = await show(person, null);
    expect(status).toBe(200);
    expect(data).toMatchObject({ profilePhotoUrl: null, editable: { profileAssetId: null } });
    await expectGone(person, photo);
  });

  test('of two that are set at once is one, and the other is gone', async () => {
    const { person, photo } = await aPhotographed();
    const two = [await anUpload(person, picture), await anUpload(person, picture)];
    const replies = await Promise.all(two.map((next) => show(person, next)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { profilePhotoUrl } = await own(person);
    const [shown] = two.filter((next) => urlOf(next) === profilePhotoUrl);
    const [lost] = two.filter((next) => next !== shown);
    await expectGone(person, lost);
    await expectGone(person, photo);
    expect(await isThere(shown)).toBe(true);
  });
});

describe('no profile photo is', () => {
  test.each<Purpose>(['hub_photo', 'post_image'])('a %s', async (purpose) => {
    const maya = await aRegistered(opine);
    const asset = await anUpload(maya, picture, purpose);
    expect(await show(maya, asset)).toMatchObject(UNKNOWN_ASSET);
    expect(await maya.put('/users/me/onboarding/media', { profileAssetId: asset.assetId })).toMatchObject(
      UNKNOWN_ASSET,
    );
    expect((await own(maya)).profilePhotoUrl).toBeNull();
  });

  test("somebody else's", async () => {
    const { person: jonas, photo: his } = await aPhotographed();
    const unused = await anUpload(jonas, picture);
    const { person: maya, photo } = await aPhotographed();
    for (const asset of [his, unused]) {
      expect(await show(maya, asset)).toMatchObject(UNKNOWN_ASSET);
      expect(await showInHubs(maya, asset)).toMatchObject(UNKNOWN_ASSET);
    }
    expect((await own(maya)).profilePhotoUrl).toBe(urlOf(photo));
    expect((await own(jonas)).profilePhotoUrl).toBe(urlOf(his));
  });

  test('an upload that is not completed', async () => {
    const maya = await aRegistered(opine);
    const { uploadId } = await aSent(maya, picture);
    expect(await show(maya, { assetId: uploadId })).toMatchObject(UNKNOWN_ASSET);
  });

  test('unknown, and then nothing else is changed either', async () => {
    const { person, photo } = await aPhotographed();
    const reply = await person.patch('/users/me/profile', { bio: 'Cooks.', profileAssetId: NOWHERE });
    expect(reply).toMatchObject(UNKNOWN_ASSET);
    expect(await own(person)).toMatchObject({ bio: null, profilePhotoUrl: urlOf(photo) });
  });

  test.each(['photo', '', 7, `../${NOWHERE}`])('%j', async (profileAssetId) => {
    const maya = await aRegistered(opine);
    const invalid = refusal(422, 'VALIDATION_FAILED', { issues: [{ path: ['profileAssetId'] }] });
    expect(await maya.patch('/users/me/profile', { profileAssetId })).toMatchObject(invalid);
  });

  test('of whoever has no profile', async () => {
    const anonymous = await anAnonymous(opine);
    expect(await show(anonymous, await anUpload(anonymous, picture))).toMatchObject(
      refusal(403, 'FORBIDDEN'),
    );
  });
});
