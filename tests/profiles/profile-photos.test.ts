import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, clientOf, type Json, type Reply, refusal } from '../support/client.ts';
import { allowContacts } from '../support/contacts.ts';
import { advanceTime } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aJpeg, aPng, type Bytes } from '../support/pictures.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { anotherServer } from '../support/sign-in.ts';
import {
  type FlakyStorage,
  type KillableOpine,
  type OpineWithStorage,
  startFlakyStorage,
  startKillableOpine,
  startOpineWithStorage,
} from '../support/storage.ts';
import {
  anUpload,
  aPendingUpload,
  completeUpload,
  downloadFile,
  fetchFile,
  photoUrlOf,
  requestDownload,
  storedKeys,
} from '../support/uploads.ts';
import { expectAfterWorker, WORKER_TIMEOUT } from '../support/worker.ts';

const UNKNOWN_ASSET = refusal(422, 'VALIDATION_FAILED', {
  issues: [{ path: ['profileAssetId'], code: 'unknown_asset' }],
});

let opine: OpineWithStorage;
let picture: Bytes;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  picture = await aPng();
});

afterAll(() => opine.stop());

const show = (person: Client, photo: Json | null): Promise<Reply> =>
  person.patch('/users/me/profile', { profileAssetId: photo?.assetId ?? null });
const urlOf = (photo: Json) => photoUrlOf(opine.storage, photo);
const own = async (person: Client): Promise<Json> => (await person.get('/users/me/profile')).data;
const isServed = async (photo: Json) => (await fetchFile(urlOf(photo))).status === 200;
const isStored = async (photo: Json) => (await storedKeys(opine.storage)).includes(`photos/${photo.assetId}`);

/** Expects the asset to be gone now, and its object soon. */
async function expectGone(person: Client, photo: Json): Promise<void> {
  expect(await requestDownload(person, photo.assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
  await expectAfterWorker(opine, () => isStored(photo)).toBe(false);
  expect(await isServed(photo)).toBe(false);
}

/** Creates a Hub-ready user with a public photo. */
async function aPhotographed(): Promise<{ person: Person; photo: Json }> {
  const person = await confirmedPerson(opine, 'Amara');
  await allowContacts(person);
  const photo = await anUpload(person, picture);
  expect((await show(person, photo)).status).toBe(200);
  return { person, photo };
}

describe('a profile photo', () => {
  test('PATCH /users/me/profile sets the photo', async () => {
    const maya = await registeredPerson(opine);
    const photo = await anUpload(maya, picture);
    const { status, data } = await show(maya, photo);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      profilePhotoUrl: urlOf(photo),
      editable: { profileAssetId: photo.assetId },
    });
    expect(await own(maya)).toEqual(data);
  });

  // docs/product.md M10
  test('everybody can fetch the photo by its URL', async () => {
    const { photo } = await aPhotographed();
    const { status, headers, bytes } = await fetchFile(urlOf(photo));
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(bytes).toEqual(picture);
  });

  test('the photo is in every place that shows its owner', async () => {
    const { person, photo } = await aPhotographed();
    const [viewer, guest] = [await confirmedPerson(opine), aGuest(opine)];
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

  test('setting the same photo again keeps its object', async () => {
    const { person, photo } = await aPhotographed();
    expect((await show(person, photo)).status).toBe(200);
    const other = await anUpload(person, picture);
    await show(person, other);
    // Proves that the worker has run since.
    await expectGone(person, photo);
    expect((await show(person, other)).data.profilePhotoUrl).toBe(urlOf(other));
    expect(await isServed(other)).toBe(true);
  });

  // docs/product.md P10
  test('a replaced photo is removed and cannot be set again', async () => {
    const { person, photo } = await aPhotographed();
    const next = await anUpload(person, await aJpeg());
    expect((await show(person, next)).data.profilePhotoUrl).toBe(urlOf(next));
    await expectGone(person, photo);
    expect(await show(person, photo)).toMatchObject(UNKNOWN_ASSET);
    expect((await downloadFile(person, next)).status).toBe(200);
  });

  test('a photo that is set to null is removed', async () => {
    const { person, photo } = await aPhotographed();
    const { status, data } = await show(person, null);
    expect(status).toBe(200);
    expect(data).toMatchObject({ profilePhotoUrl: null, editable: { profileAssetId: null } });
    await expectGone(person, photo);
  });

  test('one of two photos that are set at once stays, the other is removed', async () => {
    const { person, photo } = await aPhotographed();
    const two = [await anUpload(person, picture), await anUpload(person, picture)];
    const replies = await Promise.all(two.map((next) => show(person, next)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const { profilePhotoUrl } = await own(person);
    const [shown] = two.filter((next) => urlOf(next) === profilePhotoUrl);
    const [lost] = two.filter((next) => next !== shown);
    await expectGone(person, lost);
    await expectGone(person, photo);
    expect(await isServed(shown)).toBe(true);
  });
});

describe('a server that is killed and a storage that is down', () => {
  interface World {
    readonly storage: FlakyStorage;
    readonly killable: KillableOpine;
  }

  /** Starts a server that can be killed, on a storage that can fail. */
  async function aWorld(): Promise<World> {
    const storage = await startFlakyStorage();
    onTestFinished(() => storage.remove());
    const killable = await startKillableOpine(storage);
    onTestFinished(() => killable.stop());
    return { storage, killable };
  }

  const placeOf = ({ assetId }: Json) => `photos/${assetId}`;
  /** Returns the places of a photo and of its thumbnail. */
  const keysOf = (asset: Json) => [placeOf(asset), `${placeOf(asset)}-thumbnail`];
  const isStored = async (storage: FlakyStorage, photo: Json) =>
    (await storedKeys(storage)).includes(placeOf(photo));
  const isServed = async (storage: FlakyStorage, photo: Json) =>
    (await fetchFile(photoUrlOf(storage, photo))).status === 200;

  /** Creates a user with a photo, a photo to replace it and a photo in reserve. */
  async function withThreePhotos({
    killable,
  }: World): Promise<{ maya: Person; old: Json; next: Json; later: Json }> {
    const maya = await registeredPerson(killable);
    const old = await anUpload(maya, picture);
    expect((await show(maya, old)).status).toBe(200);
    return { maya, old, next: await anUpload(maya, picture), later: await anUpload(maya, picture) };
  }

  test('a photo that is replaced while storage is down is removed once storage is back', async () => {
    const world = await aWorld();
    const { storage, killable } = world;
    const { maya, old, next, later } = await withThreePhotos(world);
    await storage.takeDown();
    const { status, data } = await show(maya, next);
    expect([status, data.profilePhotoUrl]).toEqual([200, photoUrlOf(storage, next)]);
    await storage.bringBack();
    await advanceTime(killable, '1 day');
    await expectAfterWorker({ ...killable, storage }, () => isStored(storage, old)).toBe(false);
    expect([await isServed(storage, next), await isServed(storage, later)]).toEqual([true, true]);
  });

  test('a photo that is replaced while the server is killed is removed after a restart, and no other', async () => {
    const world = await aWorld();
    const { storage, killable } = world;
    const { maya, old, next, later } = await withThreePhotos(world);
    const { somebodyWaits } = await storage.hang();
    expect((await show(maya, next)).status).toBe(200);
    await expect.poll(somebodyWaits, WORKER_TIMEOUT).toBe(true);
    killable.kill();
    await storage.bringBack();
    expect(await isStored(storage, old)).toBe(true);
    await killable.revive();
    await advanceTime(killable, '1 day');
    await expect.poll(() => isStored(storage, old), WORKER_TIMEOUT).toBe(false);
    expect([await isServed(storage, next), await isServed(storage, later)]).toEqual([true, true]);
  });

  /** Kills the server as soon as a photo is at its final place, before or after the answer. */
  async function interruptCompletion({ storage, killable }: World): Promise<{ maya: Person; upload: Json }> {
    const maya = await anonymousPerson(killable);
    const upload = await aPendingUpload(maya, picture);
    const attempt = completeUpload(maya, upload, picture).catch(() => undefined);
    const moved = async () => (await storedKeys(storage)).some((place) => place.startsWith('photos/'));
    await expect.poll(moved, { timeout: WORKER_TIMEOUT.timeout, interval: 1 }).toBe(true);
    killable.kill();
    await attempt;
    return { maya, upload };
  }

  test('a completion that is repeated after the server was killed leaves one photo', async () => {
    const world = await aWorld();
    const { storage, killable } = world;
    const { maya, upload } = await interruptCompletion(world);
    const url = await anotherServer(killable, storage.environment);
    const again = clientOf(url, maya.session.accessToken);
    const { status, data } = await completeUpload(again, upload, picture);
    expect(status).toBe(201);
    expect((await downloadFile(again, data)).bytes).toEqual(picture);
    await advanceTime(killable, '1 day');
    await expectAfterWorker({ ...killable, storage }, () => storedKeys(storage)).toEqual(keysOf(data));
  });

  test('a completion that is repeated too late leaves no unknown object', async () => {
    const world = await aWorld();
    const { storage, killable } = world;
    const { maya, upload } = await interruptCompletion(world);
    const url = await anotherServer(killable, storage.environment);
    await advanceTime(killable, '16 minutes');
    const { data: session } = await clientOf(url).post('/auth/session/refresh', {
      refreshToken: maya.session.refreshToken,
    });
    const { status, data } = await completeUpload(clientOf(url, session.accessToken), upload, picture);
    expect([201, 409]).toContain(status);
    await advanceTime(killable, '1 day');
    const left = status === 201 ? keysOf(data) : [];
    await expectAfterWorker({ ...killable, storage }, () => storedKeys(storage)).toEqual(left);
  });
});
