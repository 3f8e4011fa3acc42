import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allPages,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { block, follow, followersOf, namedPerson, unfollow } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
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

/** Creates Amara with `count` people in one of her lists, in the order of their follows. */
async function aListOf(list: List, count: number): Promise<{ amara: Person; people: Person[] }> {
  const amara = await registeredPerson(opine, 'Amara');
  const people = await Promise.all(Array.from({ length: count }, () => registeredPerson(opine)));
  for (const person of people) await (list === 'followers' ? follow(person, amara) : follow(amara, person));
  return { amara, people };
}

describe.each(LISTS)('GET /users/{userId}/%s', (list) => {
  test('the list shows each user and whether the viewer follows them', async () => {
    const { amara, people } = await aListOf(list, 2);
    const [jonas, lena] = people;
    const viewer = await registeredPerson(opine);
    if (jonas) await follow(viewer, jonas);
    const [items] = await allPages(viewer, pathOf(amara, list));
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

  test('pages list each user once, newest first, to any signed-in viewer', async () => {
    const { amara, people } = await aListOf(list, 5);
    for (const viewer of [await anonymousPerson(opine), amara]) {
      const pages = await allPages(viewer, pathOf(amara, list), { limit: 2 });
      expect(pages.flatMap(idsOf)).toEqual(idsOf(people).reverse());
      expect(pages).toHaveLength(3);
    }
  });

  test('a follow that begins or ends between two pages neither repeats nor skips another user', async () => {
    const { amara, people } = await aListOf(list, 5);
    const [fifth, fourth, third, second, first] = people.toReversed();
    const viewer = await anonymousPerson(opine);
    const page = async (cursor?: string): Promise<Json> =>
      (await viewer.get(withQuery(pathOf(amara, list), { limit: 2, ...(cursor && { cursor }) }))).data;
    const { items, nextCursor } = await page();
    expect(idsOf(items)).toEqual([fifth?.id, fourth?.id]);
    for (const person of [fourth, third]) {
      if (person) await (list === 'followers' ? unfollow(person, amara) : unfollow(amara, person));
    }
    const newcomer = await registeredPerson(opine);
    await (list === 'followers' ? follow(newcomer, amara) : follow(amara, newcomer));
    const next = await page(nextCursor);
    expect([idsOf(next.items), next.nextCursor]).toEqual([[second?.id, first?.id], null]);
  });

  test('pages are full without users on either side of a block with the viewer', async () => {
    const { amara, people } = await aListOf(list, 6);
    const viewer = await registeredPerson(opine);
    const [first, second, third, fourth, fifth, sixth] = people;
    for (const hidden of [second, fifth]) if (hidden) await block(viewer, hidden);
    if (sixth) await block(sixth, viewer);
    const pages = await allPages(viewer, pathOf(amara, list), { limit: 2 });
    expect(pages.map(idsOf)).toEqual([[fourth?.id, third?.id], [first?.id]]);
  });

  test.each(['0', '101', '-1', '1.5', 'ten', '', '1e1'])('the limit "%s" is refused', async (limit) => {
    const amara = await registeredPerson(opine);
    expect(await amara.get(withQuery(pathOf(amara, list), { limit }))).toMatchObject(invalid('limit'));
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', "' or 1=1 --", '\u0000', 'x'.repeat(2000)])(
    'the cursor %j is refused',
    async (cursor) => {
      const amara = await registeredPerson(opine);
      expect(await amara.get(withQuery(pathOf(amara, list), { cursor }))).toMatchObject(invalid('cursor'));
    },
  );

  test.each([...MALFORMED_IDS, NONEXISTENT.id])('the id "%s" gets 404', async (id) => {
    const viewer = await anonymousPerson(opine);
    expect(await viewer.get(pathOf({ id }, list))).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
  });

  test('a guest or a logged-out user gets 401', async () => {
    const [amara, viewer] = [await registeredPerson(opine), await registeredPerson(opine)];
    await logOut(opine, viewer.session);
    for (const caller of [aGuest(opine), viewer]) {
      expect(await caller.get(pathOf(amara, list))).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    }
  });
});

describe('the search in a list of follows', () => {
  let amara: Person;

  beforeAll(async () => {
    amara = await registeredPerson(opine, 'Amara');
    for (const [fullName, username] of [
      ['José Álvarez', 'pepe_77'],
      ['Zoe Quill', 'jo_the_first'],
      ["O'Brien 100%", 'obrien'],
    ] as const) {
      const person = await namedPerson(opine, fullName, username);
      await follow(person, amara);
      await follow(amara, person);
    }
  });

  test.each([
    ['  JO ', ['jo_the_first', 'pepe_77']],
    ['jose\u0301', ['pepe_77']],
    ['ÁLV', ['pepe_77']],
    ['pepe_7', ['pepe_77']],
    ["o'b", ['obrien']],
    ['ose', []],
    ['%', []],
    ['\\', []],
    ['"', []],
    ["' or 1=1 --", []],
    ['.*', []],
    ['🙂'.repeat(80), []],
  ])('the query %j finds names and usernames that begin so, on every page', async (q, usernames) => {
    for (const list of LISTS) {
      for (const limit of [1, 30]) {
        const pages = await allPages(amara, pathOf(amara, list), { q, limit });
        expect(pages.flat().map(({ username }) => username)).toEqual(usernames);
      }
    }
  });

  test.each(['', '   ', 'x'.repeat(81), '🙂'.repeat(81), 'no\u0000t'])(
    'the query %j is refused',
    async (q) => {
      for (const list of LISTS) {
        expect(await amara.get(withQuery(pathOf(amara, list), { q }))).toMatchObject(invalid('q'));
      }
    },
  );

  test('a phone number finds nobody', async () => {
    const owner = await confirmedPerson(opine, 'Quentin');
    await follow(owner, amara);
    for (const q of [owner.phoneNumber, owner.phoneNumber.slice(1), owner.phoneNumber.slice(-7)]) {
      expect(await followersOf(amara, amara, { q })).toEqual([]);
    }
    expect(await followersOf(amara, amara, { q: 'quent' })).toEqual([owner.id]);
  });
});
