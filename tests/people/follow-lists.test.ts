import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import {
  aPersonNamed,
  block,
  everyPage,
  follow,
  followedBy,
  followersOf,
  granted,
  idsOf,
  NO_IDS,
  NOBODY,
  unfollow,
  withQuery,
} from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const LISTS = ['followers', 'following'] as const;
type List = (typeof LISTS)[number];

const pathOf = ({ id }: { id: string }, list: List) => `/users/${id}/${list}`;
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

/** Amara with `count` people in one of her lists, in the order in which they came to be there. */
async function aListOf(list: List, count: number): Promise<{ amara: Person; people: Person[] }> {
  const amara = await aRegistered(opine, 'Amara');
  const people = await Promise.all(Array.from({ length: count }, () => aRegistered(opine)));
  for (const person of people) await (list === 'followers' ? follow(person, amara) : follow(amara, person));
  return { amara, people };
}

const newestFirst = (people: Person[]) => idsOf(people).reverse();

describe.each(LISTS)('%s', (list) => {
  test('are there for whoever has a bearer, the newest first', async () => {
    const { amara, people } = await aListOf(list, 3);
    for (const viewer of [await anAnonymous(opine), amara, await aConfirmed(opine)]) {
      const pages = await everyPage(viewer, pathOf(amara, list));
      expect(pages.map(idsOf)).toEqual([newestFirst(people)]);
    }
  });

  test('are people, and whether the viewer follows them', async () => {
    const { amara, people } = await aListOf(list, 2);
    const [jonas, lena] = people;
    const viewer = await aRegistered(opine);
    if (jonas) await follow(viewer, jonas);
    const [items] = await everyPage(viewer, pathOf(amara, list));
    const shown = (person: Person | undefined, viewerFollows: boolean) => ({
      id: person?.id,
      username: person?.username,
      name: 'Somebody',
      profilePhotoUrl: null,
      isAnonymous: false,
      viewerFollows,
    });
    expect(items).toEqual([shown(lena, false), shown(jonas, true)]);
  });

  test.each([1, 2, 3, 4, 5, 6, 100])('come once each from page to page of %i', async (limit) => {
    const { amara, people } = await aListOf(list, 5);
    const pages = await everyPage(amara, pathOf(amara, list), { limit });
    expect(pages.flatMap(idsOf)).toEqual(newestFirst(people));
    expect(pages).toHaveLength(Math.ceil(5 / limit));
  });

  test('come once each also where they came at one instant', async () => {
    const { amara, people } = await aListOf(list, 5);
    await sql`
      update app.follows set created_at = '2026-01-01T00:00:00.123456Z'
      where ${amara.id} in (follower_id, followee_id)`.execute(opine.database.superuser);
    for (const limit of [1, 2, 3]) {
      const walked = (await everyPage(amara, pathOf(amara, list), { limit })).flatMap(idsOf);
      expect(walked.sort()).toEqual(idsOf(people).sort());
    }
  });

  test('that change meanwhile neither repeat nor skip another', async () => {
    const { amara, people } = await aListOf(list, 5);
    const [fifth, fourth, third, second, first] = people.toReversed();
    const viewer = await anAnonymous(opine);
    const page = async (cursor?: string): Promise<Json> =>
      (await viewer.get(withQuery(pathOf(amara, list), { limit: 2, ...(cursor && { cursor }) }))).data;
    const { items, nextCursor } = await page();
    expect(idsOf(items)).toEqual([fifth?.id, fourth?.id]);
    for (const leaver of [fourth, third]) {
      if (leaver) await (list === 'followers' ? unfollow(leaver, amara) : unfollow(amara, leaver));
    }
    const newcomer = await aRegistered(opine);
    await (list === 'followers' ? follow(newcomer, amara) : follow(amara, newcomer));
    const next = await page(nextCursor);
    expect([idsOf(next.items), next.nextCursor]).toEqual([[second?.id, first?.id], null]);
  });

  test('leave out whom a block hides, and pages are full all the same', async () => {
    const { amara, people } = await aListOf(list, 6);
    const viewer = await aRegistered(opine);
    const [first, second, third, fourth, fifth, sixth] = people;
    for (const hidden of [second, fifth]) if (hidden) await block(viewer, hidden);
    if (sixth) await block(sixth, viewer);
    const pages = await everyPage(viewer, pathOf(amara, list), { limit: 2 });
    expect(pages.map(idsOf)).toEqual([[fourth?.id, third?.id], [first?.id]]);
    expect(await followersOrFollowing(await anAnonymous(opine), amara, list)).toEqual(newestFirst(people));
  });

  test('leave out whose account has ended', async () => {
    const { amara, people } = await aListOf(list, 3);
    await people[1]?.delete('/users/me');
    expect(await followersOrFollowing(amara, amara, list)).toEqual([people[2]?.id, people[0]?.id]);
  });

  test('are thirty to a page unless asked', async () => {
    const { amara } = await aListOf(list, 31);
    const sizes = async (query: object) =>
      (await everyPage(amara, pathOf(amara, list), query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([30, 1]);
    expect(await sizes({ limit: 100 })).toEqual([31]);
    expect(await sizes({ limit: 31 })).toEqual([31]);
  });

  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e1'])('have no limit like "%s"', async (limit) => {
    const amara = await aRegistered(opine);
    expect(await amara.get(withQuery(pathOf(amara, list), { limit }))).toMatchObject(invalid('limit'));
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)])(
    'have no cursor like %j',
    async (cursor) => {
      const amara = await aRegistered(opine);
      expect(await amara.get(withQuery(pathOf(amara, list), { cursor }))).toMatchObject(invalid('cursor'));
    },
  );

  test('have no cursor of a search', async () => {
    const amara = await aRegistered(opine, 'Amara');
    for (const which of ['one', 'other']) await aPersonNamed(opine, 'Wolfgang', `wolf_${list}_${which}`);
    const { nextCursor: cursor } = await granted(amara.get('/search/users?q=wolfgang&limit=1'));
    expect(cursor).toEqual(expect.any(String));
    expect(await amara.get(withQuery(pathOf(amara, list), { cursor }))).toMatchObject(invalid('cursor'));
  });

  test.each([...NO_IDS, NOBODY.id])('of "%s" are nowhere', async (id) => {
    const viewer = await anAnonymous(opine);
    expect(await viewer.get(pathOf({ id }, list))).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
  });

  test('of whoever is hidden or gone are nowhere', async () => {
    const [viewer, gone, blocker] = [
      await aRegistered(opine),
      await aRegistered(opine),
      await aRegistered(opine),
    ];
    await gone.delete('/users/me');
    await block(blocker, viewer);
    for (const person of [gone, blocker, await anAnonymous(opine)]) {
      expect(await viewer.get(pathOf(person, list))).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
    }
  });

  test('are nothing for a guest, or for somebody who logged out', async () => {
    const [amara, viewer] = [await aRegistered(opine), await aRegistered(opine)];
    await logOut(opine, viewer.session);
    for (const caller of [aGuest(opine), viewer]) {
      expect(await caller.get(pathOf(amara, list))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });
});

function followersOrFollowing(viewer: Client, person: Person, list: List): Promise<string[]> {
  return list === 'followers' ? followersOf(viewer, person) : followedBy(viewer, person);
}

describe('looking for somebody in a list', () => {
  let amara: Person;
  const people: Record<string, Person> = {};

  beforeAll(async () => {
    amara = await aRegistered(opine, 'Amara');
    const names = {
      jose: ['José Álvarez', 'pepe_77'],
      josephine: ['Anna-Lena Josephine', 'annie'],
      jo: ['Zoe Quill', 'jo_the_first'],
      obrien: ["O'Brien 100%", 'obrien'],
      majo: ['Majo Major', 'majo'],
    } as const;
    for (const [key, [fullName, username]] of Object.entries(names)) {
      people[key] = await aPersonNamed(opine, fullName, username);
      await follow(people[key], amara);
      await follow(amara, people[key]);
    }
  });

  test.each([
    ['jo', ['jo', 'josephine', 'jose']],
    ['JO', ['jo', 'josephine', 'jose']],
    ['jose', ['josephine', 'jose']],
    ['josé', ['josephine', 'jose']],
    ['  jose ', ['josephine', 'jose']],
    ['jose\u0301', ['josephine', 'jose']],
    ['alvarez', ['jose']],
    ['ÁLV', ['jose']],
    ['pepe_7', ['jose']],
    ['PEPE', ['jose']],
    ['ma', ['majo']],
    ['jor', []],
    ['ose', []],
    ['epe', []],
    ['%', []],
    ['_', []],
    ['pepe%', []],
    ['pepe-7', []],
    ['j_se', []],
    ['\\', []],
    ['jo\\', []],
    ["'", []],
    ["o'b", ['obrien']],
    ['"', []],
    ['🙂', []],
    ["' or 1=1 --", []],
    ['.*', []],
    ['jo.*', []],
    ['x'.repeat(80), []],
    ['🙂'.repeat(80), []],
  ])('by %j finds whose name or handle begins so', async (q, keys) => {
    for (const list of LISTS) {
      for (const limit of [1, 30]) {
        const pages = await everyPage(amara, pathOf(amara, list), { q, limit });
        expect(pages.flatMap(idsOf)).toEqual(keys.map((key) => people[key]?.id));
      }
    }
  });

  test.each(['', '   ', 'x'.repeat(81), '🙂'.repeat(81), 'no\u0000t'])('is not done by %j', async (q) => {
    for (const list of LISTS) {
      expect(await amara.get(withQuery(pathOf(amara, list), { q }))).toMatchObject(invalid('q'));
    }
  });

  test('finds nobody by a phone', async () => {
    const owner = await aConfirmed(opine, 'Quentin');
    await follow(owner, amara);
    for (const q of [owner.phoneNumber, owner.phoneNumber.slice(1), owner.phoneNumber.slice(-7)]) {
      expect(await followersOf(amara, amara, { q })).toEqual([]);
    }
    expect(await followersOf(amara, amara, { q: 'quent' })).toEqual([owner.id]);
  });
});
