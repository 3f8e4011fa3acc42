import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { refusal } from '../support/client.ts';
import { block, granted } from '../support/graph.ts';
import { aHubOf, callIn, idsIn, LISTS, membersOf, newestFirst } from '../support/hub-members.ts';
import { aHubWorld, FORBIDDEN, MEMBERS, NON_MEMBERS, NOT_READY, refusalIn } from '../support/hub-worlds.ts';
import { aHub, join, requestAppoint, requestLeave, requestRemove } from '../support/hubs.ts';
import { aGuest, aHubReady } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type StoringOpine, startStoringOpine } from '../support/storage.ts';
import { anUpload, photoUrlOf } from '../support/uploads.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

describe('GET /hubs/{hubId}/members', () => {
  test('every member sees name, phone and role of the members and admins', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    const expectedMember = (role: (typeof MEMBERS)[number], displayName: string) => ({
      userId: people[role].id,
      displayName,
      profilePhotoUrl: null,
      username: people[role].username,
      phoneNumber: people[role].phoneNumber,
      role,
      joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const [carla, benedikt, amara] = [
      expectedMember('member', 'Carla'),
      expectedMember('manager', 'Benedikt'),
      expectedMember('admin', 'Amara'),
    ];
    for (const membershipStatus of MEMBERS) {
      expect(await membersOf(people[membershipStatus], hub)).toEqual([carla, benedikt, amara]);
      expect(await membersOf(people[membershipStatus], hub, {}, 'admins')).toEqual([benedikt, amara]);
    }
  });

  test('an entry has the Hub display name and the Hub photo', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const hub = await aHub(amara);
    const [publicPhoto, hubPhoto] = [
      await anUpload(amara, await aPng()),
      await anUpload(amara, await aPng({ green: 9 })),
    ];
    await granted(amara.patch('/users/me/profile', { profileAssetId: publicPhoto.assetId }));
    expect(await membersOf(amara, hub)).toMatchObject([{ displayName: 'Amara', profilePhotoUrl: null }]);
    await callIn(amara, { displayName: 'Night Owl', profileAssetId: hubPhoto.assetId });
    for (const list of LISTS)
      expect(await membersOf(amara, hub, {}, list)).toMatchObject([
        { displayName: 'Night Owl', profilePhotoUrl: photoUrlOf(opine.storage, hubPhoto) },
      ]);
  });

  test('the list has the newest member first, also after rejoining', async () => {
    const { hub, amara, people } = await aHubOf(opine, 3);
    expect(await idsIn(amara, hub)).toEqual(newestFirst(people));
    const [, jonas, ...rest] = people;
    if (!jonas) throw new Error('Nobody came.');
    await granted(requestLeave(jonas, hub));
    expect(await idsIn(amara, hub)).toEqual(newestFirst([amara, ...rest]));
    await join(amara, hub, [jonas]);
    expect(await idsIn(amara, hub)).toEqual(newestFirst([amara, ...rest, jonas]));
  });

  test('the list and the member count exclude removed members and deleted accounts', async () => {
    const { hub, amara, people } = await aHubOf(opine, 3);
    const [, removed, ended, last] = people;
    if (!removed || !ended || !last) throw new Error('Nobody came.');
    await granted(requestRemove(amara, hub, removed));
    await granted(ended.delete('/users/me'));
    await untilGone(opine, ended.id);
    expect(await idsIn(amara, hub)).toEqual([last.id, amara.id]);
    expect((await granted(amara.get(`/hubs/${hub.id}`))).memberCount).toBe(2);
  });

  test('a block hides no member from either person', async () => {
    const { hub, people } = await aHubOf(opine, 1);
    const [amara, jonas] = people;
    if (!amara || !jonas) throw new Error('Nobody came.');
    await block(amara, jonas);
    for (const viewer of people) {
      expect(await idsIn(viewer, hub)).toEqual(newestFirst(people));
      expect(await idsIn(viewer, hub, { q: 'amara' })).toEqual([amara.id]);
      expect(await idsIn(viewer, hub, { q: jonas.username })).toEqual([jonas.id]);
    }
  });
});

test('the list of admins is ordered by join time, not by appointment', async () => {
  const { hub, amara, people } = await aHubOf(opine, 3);
  const [, jonas, lena, maya] = people;
  if (!jonas || !lena || !maya) throw new Error('Nobody came.');
  await granted(requestAppoint(amara, hub, maya, 'manager'));
  await granted(requestAppoint(amara, hub, jonas));
  expect(await idsIn(lena, hub, {}, 'admins')).toEqual([maya.id, jonas.id, amara.id]);
  for (const limit of [1, 2, 3])
    expect(await idsIn(lena, hub, { limit }, 'admins')).toEqual([maya.id, jonas.id, amara.id]);
});

describe.each(LISTS)('access to the %s of a Hub', (list) => {
  test('non-members of every kind and removed members cannot read the list', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS) {
      for (const query of ['', '?limit=1', '?q=amara'].slice(0, list === 'members' ? 3 : 2)) {
        const reply = await people[membershipStatus].get(`/hubs/${hub.id}/${list}${query}`);
        expect(refusalIn(reply), membershipStatus).toEqual(FORBIDDEN);
      }
    }
    await granted(requestRemove(people.admin, hub, people.member));
    expect(refusalIn(await people.member.get(`/hubs/${hub.id}/${list}`))).toEqual(FORBIDDEN);
  });

  test('a caller below level 4 gets 403 and a guest gets 401', async () => {
    const { hub } = await aHubOf(opine, 0);
    for (const [level, somebody, nextStep] of NOT_READY) {
      const reply = await (await somebody(opine)).get(`/hubs/${hub.id}/${list}`);
      expect(refusalIn(reply)).toEqual([403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }]);
    }
    expect(await aGuest(opine).get(`/hubs/${hub.id}/${list}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});
