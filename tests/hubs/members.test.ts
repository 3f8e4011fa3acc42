import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, expectOk, newestFirst, refusalOf, withQuery } from '../support/client.ts';
import { block } from '../support/graph.ts';
import {
  aHub,
  aHubWithMembers,
  aHubWorld,
  aMemberOf,
  aNamedMember,
  FORBIDDEN,
  invalid,
  MEMBER_LISTS,
  MEMBERS,
  memberIds,
  membersOf,
  NON_MEMBERS,
  requestRemove,
  setHubProfile,
} from '../support/hubs.ts';
import { hubReadyPerson } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, photoUrlOf } from '../support/uploads.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
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
    const amara = await hubReadyPerson(opine, 'Amara');
    const hub = await aHub(amara);
    const [publicPhoto, hubPhoto] = [
      await anUpload(amara, await aPng()),
      await anUpload(amara, await aPng({ green: 9 })),
    ];
    await expectOk(amara.patch('/users/me/profile', { profileAssetId: publicPhoto.assetId }));
    expect(await membersOf(amara, hub)).toMatchObject([{ displayName: 'Amara', profilePhotoUrl: null }]);
    await setHubProfile(amara, { displayName: 'Night Owl', profileAssetId: hubPhoto.assetId });
    for (const list of MEMBER_LISTS)
      expect(await membersOf(amara, hub, {}, list)).toMatchObject([
        { displayName: 'Night Owl', profilePhotoUrl: photoUrlOf(opine.storage, hubPhoto) },
      ]);
  });

  test('a block hides no member from either person', async () => {
    const { hub, people } = await aHubWithMembers(opine, 1);
    const [amara, jonas] = people;
    if (!amara || !jonas) throw new Error('Nobody came.');
    await block(amara, jonas);
    for (const viewer of people) {
      expect(await memberIds(viewer, hub)).toEqual(newestFirst(people));
      expect(await memberIds(viewer, hub, { q: 'amara' })).toEqual([amara.id]);
      expect(await memberIds(viewer, hub, { q: jonas.username })).toEqual([jonas.id]);
    }
  });
});

describe.each(MEMBER_LISTS)('access to the %s of a Hub', (list) => {
  test('non-members of every kind and removed members cannot read the list', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const membershipStatus of NON_MEMBERS) {
      for (const query of ['', '?limit=1', '?q=amara'].slice(0, list === 'members' ? 3 : 2)) {
        const reply = await people[membershipStatus].get(`/hubs/${hub.id}/${list}${query}`);
        expect(refusalOf(reply), membershipStatus).toEqual(FORBIDDEN);
      }
    }
    await expectOk(requestRemove(people.admin, hub, people.member));
    expect(refusalOf(await people.member.get(`/hubs/${hub.id}/${list}`))).toEqual(FORBIDDEN);
  });
});

describe('pages of members and admins', () => {
  test.each([1, 2, 3, 5, 6, 7, 100])('pages of %i list each person once, newest first', async (limit) => {
    const { hub, amara, people } = await aHubWithMembers(opine, 5, 'manager');
    for (const list of MEMBER_LISTS) {
      const pages = await allPages(amara, `/hubs/${hub.id}/${list}`, { limit });
      expect(pages.flat().map(({ userId }) => userId)).toEqual(newestFirst(people));
      expect(pages).toHaveLength(Math.ceil(6 / limit));
    }
  });

  test('pagination neither repeats nor skips members while others join and leave', async () => {
    const { hub, amara, people } = await aHubWithMembers(opine, 5);
    const [, , , jonas] = people;
    const first = await expectOk(amara.get(`/hubs/${hub.id}/members?limit=2`));
    await aMemberOf(opine, amara, hub, 'Newcomer');
    if (jonas) await expectOk(requestRemove(amara, hub, jonas));
    const rest = await membersOf(amara, hub, { limit: 2, cursor: first.nextCursor });
    // membersOf replaces this cursor from the second page on.
    const listed = [...first.items, ...rest].map(({ userId }) => userId);
    expect(listed).toEqual(newestFirst(people.filter((person) => person !== jonas)));
  });

  test.each(['', 'abc', 'e30', '\u0000'])('the cursor %j is 422', async (cursor) => {
    const { hub, amara } = await aHubWithMembers(opine, 0);
    const base = `/hubs/${hub.id}`;
    for (const path of [`${base}/members`, `${base}/admins`])
      expect(await amara.get(withQuery(path, { cursor }))).toMatchObject(invalid('cursor'));
    expect(await amara.get(withQuery(`${base}/members`, { q: 'a', cursor }))).toMatchObject(
      invalid('cursor'),
    );
  });
});

describe('GET /hubs/{hubId}/members?q=', () => {
  test.each([
    [
      'Maria del Carmen',
      'qa_1',
      ['maria', 'MAR', 'del', 'carmen', 'maria del', 'del car', ' maria ', 'qa_', '@QA_1'],
    ],
    ['José Ibárruri', 'qb_1', ['jose', 'JOSÉ', 'Jose\u0301', 'ibarruri', 'jose ibarruri']],
    ['Łukasz Żółć', 'qc_1', ['lukasz', 'ŁUKASZ', 'zolc']],
    ['Мария Иванова', 'qd_1', ['мария', 'МАРИЯ', 'иван']],
    ['山田 太郎', 'qe_1', ['山田', '太郎']],
    ["100% O'Brien_\\", 'qf_1', ["o'b", '100%']],
  ])('queries by the beginning of a word or of the username find %s', async (fullName, username, queries) => {
    const { hub, amara } = await aHubWithMembers(opine, 2);
    const { id } = await aNamedMember(opine, amara, hub, fullName, username);
    for (const q of queries) expect(await memberIds(amara, hub, { q }), q).toEqual([id]);
  });

  test.each([
    'aria',
    'armen',
    'mariadel',
    'a_1',
    'maria carmen',
    '%',
    '_',
    'm%',
    'ma_ia',
    '\\',
    "' or 1=1 --",
    '+1202',
  ])('the query %j does not find Maria del Carmen', async (q) => {
    const { hub, amara } = await aHubWithMembers(opine, 0);
    await setHubProfile(amara, { displayName: 'Zoe' });
    const username = `qz_${amara.username.replace(/\D/g, '')}`;
    await aNamedMember(opine, amara, hub, 'Maria del Carmen', username);
    await expectOk(amara.patch('/users/me/profile', { username: `zoe${username}` }));
    expect(await memberIds(amara, hub, { q })).toEqual([]);
  });
});
