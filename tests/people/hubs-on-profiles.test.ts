import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, Json } from '../support/client.ts';
import { granted, profileSeenBy } from '../support/graph.ts';
import { aPair } from '../support/hub-worlds.ts';
import { aHub, requestAppoint, requestDismiss, requestLeave } from '../support/hubs.ts';
import { aGuest, aHubReady, type Person } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, photoUrlOf } from '../support/uploads.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

describe("the Hubs on somebody's profile", () => {
  const adminHubsOf = async (viewer: Client, person: Person) =>
    (await profileSeenBy(viewer, person)).adminHubs;

  test('are those that they are admin of, for everybody to see', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    const shown = { id: hub.id, name: 'Elm Street', profilePhotoUrl: null };
    for (const viewer of [aGuest(opine), amara, await aHubReady(opine)]) {
      expect(await adminHubsOf(viewer, amara)).toEqual([shown]);
      expect(await adminHubsOf(viewer, jonas)).toEqual([]);
    }
    expect((await granted(amara.get('/users/me/profile'))).adminHubs).toEqual([shown]);
    const byHandle = await granted(aGuest(opine).get(`/users/by-username/${amara.username}`));
    expect(byHandle.adminHubs).toEqual([shown]);
  });

  test('are none that they manage, and all that they are admin of', async () => {
    const { hub, amara, jonas } = await aPair(opine);
    const [own, other] = [await aHub(jonas, { name: 'Oak' }), await aHub(jonas, { name: 'Fir' })];
    const ids = async () => (await adminHubsOf(amara, jonas)).map(({ id }: Json) => id).sort();
    await granted(requestAppoint(amara, hub, jonas, 'manager'));
    expect(await ids()).toEqual([own.id, other.id].sort());
    await granted(requestAppoint(amara, hub, jonas));
    expect(await ids()).toEqual([hub.id, own.id, other.id].sort());
    await granted(requestDismiss(amara, hub, jonas));
    await granted(requestLeave(jonas, own));
    expect(await ids()).toEqual([other.id]);
  });

  test('look as they look today', async () => {
    const { hub, amara } = await aPair(opine);
    const photo = await anUpload(amara, await aPng(), 'hub_photo');
    const changed = { name: 'Oak Street', profileAssetId: photo.assetId };
    await granted(amara.patch(`/hubs/${hub.id}`, changed));
    expect(await adminHubsOf(aGuest(opine), amara)).toEqual([
      { id: hub.id, name: 'Oak Street', profilePhotoUrl: photoUrlOf(opine.storage, photo) },
    ]);
  });
});
