import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TIMEOUT } from '../support/account-deletions.ts';
import { clientOf, type Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aPng, type Bytes } from '../support/pictures.ts';
import { besides } from '../support/sign-in.ts';
import {
  type FlakyStorage,
  type MortalOpine,
  startFlakyStorage,
  startMortalOpine,
} from '../support/storage.ts';
import {
  anUpload,
  aSent,
  complete,
  downloaded,
  everythingIn,
  fetched,
  photoUrlOf,
} from '../support/uploads.ts';
import { expectOnceWorked } from '../support/worker.ts';

let picture: Bytes;

beforeAll(async () => {
  picture = await aPng();
});

interface World {
  readonly storage: FlakyStorage;
  readonly mortal: MortalOpine;
}

/** A server that can be killed, on a storage that can go away. */
async function aWorld(): Promise<World> {
  const storage = await startFlakyStorage();
  onTestFinished(() => storage.remove());
  const mortal = await startMortalOpine(storage);
  onTestFinished(() => mortal.stop());
  return { storage, mortal };
}

const show = (person: Person, { assetId }: Json) =>
  person.patch('/users/me/profile', { profileAssetId: assetId });
const placeOf = ({ assetId }: Json) => `photos/${assetId}`;
const lies = async (storage: FlakyStorage, photo: Json) =>
  (await everythingIn(storage)).includes(placeOf(photo));
const isThere = async (storage: FlakyStorage, photo: Json) =>
  (await fetched(photoUrlOf(storage, photo))).status === 200;

/** Somebody with a photo, another one to show instead, and one for later. */
async function aPhotographed({
  mortal,
}: World): Promise<{ maya: Person; old: Json; next: Json; later: Json }> {
  const maya = await aRegistered(mortal);
  const old = await anUpload(maya, picture);
  expect((await show(maya, old)).status).toBe(200);
  return { maya, old, next: await anUpload(maya, picture), later: await anUpload(maya, picture) };
}

describe('a photo that is replaced', () => {
  test('while storage is away goes when it is back', async () => {
    const world = await aWorld();
    const { storage, mortal } = world;
    const { maya, old, next, later } = await aPhotographed(world);
    await storage.takeDown();
    const { status, data } = await show(maya, next);
    expect([status, data.profilePhotoUrl]).toEqual([200, photoUrlOf(storage, next)]);
    await storage.bringBack();
    await timePasses(mortal, '1 day');
    await expectOnceWorked({ ...mortal, storage }, () => lies(storage, old)).toBe(false);
    expect([await isThere(storage, next), await isThere(storage, later)]).toEqual([true, true]);
  });

  test('goes, and no other does, although the server is killed in the middle', async () => {
    const world = await aWorld();
    const { storage, mortal } = world;
    const { maya, old, next, later } = await aPhotographed(world);
    const { somebodyWaits } = await storage.hang();
    expect((await show(maya, next)).status).toBe(200);
    await expect.poll(somebodyWaits, TIMEOUT).toBe(true);
    mortal.kill();
    await storage.bringBack();
    expect(await lies(storage, old)).toBe(true);
    await mortal.revive();
    await timePasses(mortal, '1 day');
    await expect.poll(() => lies(storage, old), TIMEOUT).toBe(false);
    expect([await isThere(storage, next), await isThere(storage, later)]).toEqual([true, true]);
  });
});

describe('of a completion whose server is killed in the middle', () => {
  /** Kills the server as soon as the photo lies where it stays; what came of it may be known or not. */
  async function aCompletionCutOff({ storage, mortal }: World): Promise<{ maya: Person; sent: Json }> {
    const maya = await anAnonymous(mortal);
    const sent = await aSent(maya, picture);
    const attempt = complete(maya, sent, picture).catch(() => undefined);
    const moved = async () => (await everythingIn(storage)).some((place) => place.startsWith('photos/'));
    await expect.poll(moved, { timeout: TIMEOUT.timeout, interval: 1 }).toBe(true);
    mortal.kill();
    await attempt;
    return { maya, sent };
  }

  test('one photo is left where it is sent again', async () => {
    const world = await aWorld();
    const { storage, mortal } = world;
    const { maya, sent } = await aCompletionCutOff(world);
    const url = await besides(mortal, storage.environment);
    const again = clientOf(url, maya.session.accessToken);
    const { status, data } = await complete(again, sent, picture);
    expect(status).toBe(201);
    expect((await downloaded(again, data)).bytes).toEqual(picture);
    await timePasses(mortal, '1 day');
    await expectOnceWorked({ ...mortal, storage }, () => everythingIn(storage)).toEqual([placeOf(data)]);
  });

  test('nothing is left where it never is and nobody knows of an asset', async () => {
    const world = await aWorld();
    const { storage, mortal } = world;
    const { maya, sent } = await aCompletionCutOff(world);
    const url = await besides(mortal, storage.environment);
    await timePasses(mortal, '16 minutes');
    const { data: session } = await clientOf(url).post('/auth/session/refresh', {
      refreshToken: maya.session.refreshToken,
    });
    const { status, data } = await complete(clientOf(url, session.accessToken), sent, picture);
    expect([201, 409]).toContain(status);
    await timePasses(mortal, '1 day');
    const left = status === 201 ? [placeOf(data)] : [];
    await expectOnceWorked({ ...mortal, storage }, () => everythingIn(storage)).toEqual(left);
  });
});
