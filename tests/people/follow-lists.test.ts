import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, idsOf, type Json, withQuery } from '../support/client.ts';
import { follow, followersOf, unfollow } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const LISTS = ['followers', 'following'] as const;
type List = (typeof LISTS)[number];

const pathOf = ({ id }: { id: string }, list: List) => `/users/${id}/${list}`;

/** Creates Amara with `count` people in one of her lists, in the order of their follows. */
async function aListOf(list: List, count: number): Promise<{ amara: Person; people: Person[] }> {
  const amara = await registeredPerson(opine, 'Amara');
  const people = await Promise.all(Array.from({ length: count }, () => registeredPerson(opine)));
  for (const person of people) await (list === 'followers' ? follow(person, amara) : follow(amara, person));
  return { amara, people };
}

describe.each(LISTS)('GET /users/{userId}/%s', (list) => {
  // docs/product.md P16
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
});

test('a phone number finds nobody in a list of followers', async () => {
  const [owner, amara] = [await confirmedPerson(opine, 'Quentin'), await registeredPerson(opine)];
  await follow(owner, amara);
  for (const q of [owner.phoneNumber, owner.phoneNumber.slice(1), owner.phoneNumber.slice(-7)]) {
    expect(await followersOf(amara, amara, { q })).toEqual([]);
  }
  expect(await followersOf(amara, amara, { q: 'quent' })).toEqual([owner.id]);
});
