import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectOk, newestFirst } from '../support/client.ts';
import {
  aHubWithMembers,
  aHubWorld,
  aMemberOf,
  aNamedMember,
  MEMBERS,
  memberIds,
  membersOf,
  requestRemove,
  setHubProfile,
} from '../support/hubs.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';

let opine: OpineWithStorage;

beforeAll(async () => {
  opine = await startOpineWithStorage();
});

afterAll(() => opine.stop());

describe('GET /hubs/{hubId}/members', () => {
  // docs/product.md H23
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
});

describe('pages of members and admins', () => {
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
});

describe('GET /hubs/{hubId}/members?q=', () => {
  // docs/product.md H23
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

  test('the middle of a word, wildcards and phone numbers find nobody', async () => {
    const { hub, amara } = await aHubWithMembers(opine, 0);
    await setHubProfile(amara, { displayName: 'Zoe' });
    const username = `qz_${amara.username.replace(/\D/g, '')}`;
    await aNamedMember(opine, amara, hub, 'Maria del Carmen', username);
    await expectOk(amara.patch('/users/me/profile', { username: `zoe${username}` }));
    const words = [
      'aria',
      'armen',
      'mariadel',
      'a_1',
      'maria carmen',
      'm%ria',
      'ma_ia',
      "' or 1=1 --",
      '+1202',
    ];
    for (const q of [...words, '%', '_', '\\']) expect(await memberIds(amara, hub, { q }), q).toEqual([]);
  });
});
