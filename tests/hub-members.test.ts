import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from './builders/departures.ts';
import { block, everyPage, granted, withQuery } from './builders/graph.ts';
import {
  aHubWorld,
  aNamedMember,
  FORBIDDEN,
  MEMBERS,
  NOT_READY,
  OUTSIDERS,
  refusalIn,
} from './builders/hub-worlds.ts';
import { aHub, aMemberOf, askToAppoint, askToLeave, askToRemove, type Hub, join } from './builders/hubs.ts';
import { aGuest, aHubReady, type Person } from './builders/people.ts';
import { aPng } from './builders/pictures.ts';
import { type StoringOpine, startStoringOpine } from './builders/storage.ts';
import { anUpload, photoUrlOf } from './builders/uploads.ts';
import { type Client, type Json, refusal } from './harness/client.ts';

let opine: StoringOpine;

beforeAll(async () => {
  opine = await startStoringOpine();
});

afterAll(() => opine.stop());

const LISTS = ['members', 'admins'] as const;
const membersOf = async (viewer: Client, { id }: Hub, query: object = {}, list = 'members') =>
  (await everyPage(viewer, `/hubs/${id}/${list}`, query)).flat();
const idsIn = async (viewer: Client, hub: Hub, query: object = {}, list?: string): Promise<string[]> =>
  (await membersOf(viewer, hub, query, list)).map(({ userId }) => userId);
const idsOf = (people: readonly Person[]) => people.map(({ id }) => id);
const callIn = (person: Client, fields: object) => granted(person.patch('/users/me/hub-profile', fields));
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

/** A Hub of Amara's with `count` others, in the order in which they came; with her, the first. */
async function aHubOf(
  count: number,
  role?: 'manager',
): Promise<{ hub: Json; people: Person[]; amara: Person }> {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const others = await Promise.all(Array.from({ length: count }, () => aHubReady(opine)));
  await join(amara, hub, others, role);
  return { hub, amara, people: [amara, ...others] };
}

const newestFirst = (people: readonly Person[]) => idsOf(people).reverse();

describe('the members of a Hub', () => {
  test('are shown to each other with name, phone and role', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    const shown = (role: (typeof MEMBERS)[number], displayName: string) => ({
      userId: people[role].id,
      displayName,
      profilePhotoUrl: null,
      username: people[role].username,
      phoneNumber: people[role].phoneNumber,
      role,
      joinedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const [carla, benedikt, amara] = [
      shown('member', 'Carla'),
      shown('manager', 'Benedikt'),
      shown('admin', 'Amara'),
    ];
    for (const standing of MEMBERS) {
      expect(await membersOf(people[standing], hub)).toEqual([carla, benedikt, amara]);
      expect(await membersOf(people[standing], hub, {}, 'admins')).toEqual([benedikt, amara]);
    }
  });

  test('have the name and the photo that they have in Hubs', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const hub = await aHub(amara);
    const [open, hidden] = [
      await anUpload(amara, await aPng()),
      await anUpload(amara, await aPng({ green: 9 })),
    ];
    await granted(amara.patch('/users/me/profile', { profileAssetId: open.assetId }));
    expect(await membersOf(amara, hub)).toMatchObject([{ displayName: 'Amara', profilePhotoUrl: null }]);
    await callIn(amara, { displayName: 'Night Owl', profileAssetId: hidden.assetId });
    for (const list of LISTS)
      expect(await membersOf(amara, hub, {}, list)).toMatchObject([
        { displayName: 'Night Owl', profilePhotoUrl: photoUrlOf(opine.storage, hidden) },
      ]);
  });

  test('come newest first, and who comes again is new', async () => {
    const { hub, amara, people } = await aHubOf(3);
    expect(await idsIn(amara, hub)).toEqual(newestFirst(people));
    const [, jonas, ...rest] = people;
    if (!jonas) throw new Error('Nobody came.');
    await granted(askToLeave(jonas, hub));
    expect(await idsIn(amara, hub)).toEqual(newestFirst([amara, ...rest]));
    await join(amara, hub, [jonas]);
    expect(await idsIn(amara, hub)).toEqual(newestFirst([amara, ...rest, jonas]));
  });

  test('are as many as are counted, whoever is removed or ends their account', async () => {
    const { hub, amara, people } = await aHubOf(3);
    const [, removed, ended, last] = people;
    if (!removed || !ended || !last) throw new Error('Nobody came.');
    await granted(askToRemove(amara, hub, removed));
    await granted(ended.delete('/users/me'));
    await untilGone(opine, ended.id);
    expect(await idsIn(amara, hub)).toEqual([last.id, amara.id]);
    expect((await granted(amara.get(`/hubs/${hub.id}`))).memberCount).toBe(2);
  });

  test('see each other whoever blocks whom', async () => {
    const { hub, people } = await aHubOf(1);
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

test('admins and managers come newest in the Hub first, whenever they were appointed', async () => {
  const { hub, amara, people } = await aHubOf(3);
  const [, jonas, lena, maya] = people;
  if (!jonas || !lena || !maya) throw new Error('Nobody came.');
  await granted(askToAppoint(amara, hub, maya, 'manager'));
  await granted(askToAppoint(amara, hub, jonas));
  expect(await idsIn(lena, hub, {}, 'admins')).toEqual([maya.id, jonas.id, amara.id]);
  for (const limit of [1, 2, 3])
    expect(await idsIn(lena, hub, { limit }, 'admins')).toEqual([maya.id, jonas.id, amara.id]);
});

describe('pages', () => {
  test.each([1, 2, 3, 5, 6, 7, 100])('of %i hold each once', async (limit) => {
    const { hub, amara, people } = await aHubOf(5, 'manager');
    for (const list of LISTS) {
      const pages = await everyPage(amara, `/hubs/${hub.id}/${list}`, { limit });
      expect(pages.flat().map(({ userId }) => userId)).toEqual(newestFirst(people));
      expect(pages).toHaveLength(Math.ceil(6 / limit));
    }
  });

  test('hold thirty unless asked', async () => {
    const { hub, amara, people } = await aHubOf(30);
    const pages = await everyPage(amara, `/hubs/${hub.id}/members`);
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
    const found = await everyPage(amara, `/hubs/${hub.id}/members`, { q: 'somebody' });
    expect(found.flat()).toHaveLength(people.length - 1);
    expect(new Set(found.flat().map(({ userId }) => userId)).size).toBe(people.length - 1);
  });

  test('hold nobody twice and skip nobody where people come and go meanwhile', async () => {
    const { hub, amara, people } = await aHubOf(5);
    const [, , , jonas] = people;
    const first = await granted(amara.get(`/hubs/${hub.id}/members?limit=2`));
    await aMemberOf(opine, amara, hub, 'Newcomer');
    if (jonas) await granted(askToRemove(amara, hub, jonas));
    const rest = await membersOf(amara, hub, { limit: 2, cursor: first.nextCursor });
    // The cursor of everyPage is its own from the second page on.
    const walked = [...first.items, ...rest].map(({ userId }) => userId);
    expect(walked).toEqual(newestFirst(people.filter((person) => person !== jonas)));
  });

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('are not of "%s"', async (limit) => {
    const { hub, amara } = await aHubOf(0);
    for (const list of LISTS)
      expect(await amara.get(withQuery(`/hubs/${hub.id}/${list}`, { limit }))).toMatchObject(
        invalid('limit'),
      );
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', 'WzEsMl0', "' or 1=1 --", '\u0000', 'x'.repeat(5000)])(
    'do not go on behind %j',
    async (cursor) => {
      const { hub, amara } = await aHubOf(0);
      const base = `/hubs/${hub.id}`;
      for (const path of [`${base}/members`, `${base}/admins`])
        expect(await amara.get(withQuery(path, { cursor }))).toMatchObject(invalid('cursor'));
      expect(await amara.get(withQuery(`${base}/members`, { q: 'a', cursor }))).toMatchObject(
        invalid('cursor'),
      );
    },
  );
});

describe('a member is found', () => {
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
  ])('of the name %s', async (fullName, username, queries) => {
    const { hub, amara } = await aHubOf(2);
    const { id } = await aNamedMember(opine, amara, hub, fullName, username);
    for (const q of queries) expect(await idsIn(amara, hub, { q }), q).toEqual([id]);
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
  ])('not by %j', async (q) => {
    const { hub, amara } = await aHubOf(0);
    await callIn(amara, { displayName: 'Zoe' });
    const username = `qz_${amara.username.replace(/\D/g, '')}`;
    await aNamedMember(opine, amara, hub, 'Maria del Carmen', username);
    await granted(amara.patch('/users/me/profile', { username: `zoe${username}` }));
    expect(await idsIn(amara, hub, { q })).toEqual([]);
  });

  test('in the order of what matched, each once, from page to page', async () => {
    const amara = await aHubReady(opine, 'Wanda');
    const hub = await aHub(amara);
    const byLastName = await aNamedMember(opine, amara, hub, 'Aaron Annoni', 'qo_1');
    const byHandle = await aNamedMember(opine, amara, hub, 'Aaron Bell', 'annex_7');
    await aNamedMember(opine, amara, hub, 'Aaron Nanni', 'qo_2');
    const byBoth = await aNamedMember(opine, amara, hub, 'Annabel Annabel', 'annabel_7');
    const byFirstName = await aNamedMember(opine, amara, hub, 'Annika Zorn', 'qo_3');
    const ordered = idsOf([byBoth, byHandle, byFirstName, byLastName]);
    for (const limit of [1, 2, 3, 4, 100])
      expect(await idsIn(amara, hub, { q: 'ann', limit }), `${limit}`).toEqual(ordered);
  });

  test('by the name that they have in Hubs today', async () => {
    const { hub, amara, people } = await aHubOf(2);
    const [, jonas, lena] = people;
    if (!jonas || !lena) throw new Error('Nobody came.');
    await callIn(jonas, { displayName: 'Xanthippe Early' });
    await granted(jonas.patch('/users/me/profile', { fullName: 'Ypsilanti Public', username: 'yps_today' }));
    await granted(lena.patch('/users/me/profile', { fullName: 'Wilhelmina Public' }));
    const expected = {
      xan: [jonas.id],
      early: [jonas.id],
      yps_today: [jonas.id],
      ypsilanti: [],
      public: [lena.id],
    };
    for (const [q, ids] of Object.entries(expected)) expect(await idsIn(amara, hub, { q }), q).toEqual(ids);
    expect(await idsIn(amara, hub, { q: jonas.username })).toEqual([]);
    await callIn(jonas, { displayName: 'Xaver Late' });
    expect(await idsIn(amara, hub, { q: 'xan' })).toEqual([]);
    expect(await idsIn(amara, hub, { q: 'late' })).toEqual([jonas.id]);
  });

  test('in this Hub alone, as long as they are in it', async () => {
    const { hub, amara, people } = await aHubOf(1);
    const [, jonas] = people;
    if (!jonas) throw new Error('Nobody came.');
    await callIn(jonas, { displayName: 'Quirinus' });
    const other = await aHub(amara);
    await aNamedMember(opine, amara, other, 'Quirina');
    expect(await idsIn(amara, hub, { q: 'quiri' })).toEqual([jonas.id]);
    await granted(askToLeave(jonas, hub));
    expect(await idsIn(amara, hub, { q: 'quiri' })).toEqual([]);
    await callIn(jonas, { displayName: 'Quirin' });
    expect(await idsIn(amara, hub, { q: 'quiri' })).toEqual([]);
    await join(amara, hub, [jonas]);
    expect(await idsIn(amara, hub, { q: 'quirin' })).toEqual([jonas.id]);
  });

  test.each(['', '  ', 'x'.repeat(81), 'no\u0000t'])('not by %j, which is no name', async (q) => {
    const { hub, amara } = await aHubOf(0);
    expect(await amara.get(withQuery(`/hubs/${hub.id}/members`, { q }))).toMatchObject(invalid('q'));
  });
});

describe.each(LISTS)('the %s of a Hub are shown', (list) => {
  test('to nobody outside of it, invited, waiting or gone as they may be', async () => {
    const { hub, ...people } = await aHubWorld(opine);
    for (const standing of OUTSIDERS) {
      for (const query of ['', '?limit=1', '?q=amara'].slice(0, list === 'members' ? 3 : 2)) {
        const reply = await people[standing].get(`/hubs/${hub.id}/${list}${query}`);
        expect(refusalIn(reply), standing).toEqual(FORBIDDEN);
      }
    }
    await granted(askToRemove(people.admin, hub, people.member));
    expect(refusalIn(await people.member.get(`/hubs/${hub.id}/${list}`))).toEqual(FORBIDDEN);
  });

  test('to nobody who has not come to Hubs, and to no guest', async () => {
    const { hub } = await aHubOf(0);
    for (const [level, somebody, nextStep] of NOT_READY) {
      const reply = await (await somebody(opine)).get(`/hubs/${hub.id}/${list}`);
      expect(refusalIn(reply)).toEqual([403, 'FORBIDDEN', { requiredLevel: 4, level, nextStep }]);
    }
    expect(await aGuest(opine).get(`/hubs/${hub.id}/${list}`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
  });
});
