import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyPage, granted, withQuery } from '../support/graph.ts';
import { aHubOf, LISTS, membersOf, newestFirst } from '../support/hub-members.ts';
import { invalid } from '../support/hub-worlds.ts';
import { aMemberOf, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

describe('pages of members and admins', () => {
  test.each([1, 2, 3, 5, 6, 7, 100])('pages of %i list each person once, newest first', async (limit) => {
    const { hub, amara, people } = await aHubOf(opine, 5, 'manager');
    for (const list of LISTS) {
      const pages = await everyPage(amara, `/hubs/${hub.id}/${list}`, { limit });
      expect(pages.flat().map(({ userId }) => userId)).toEqual(newestFirst(people));
      expect(pages).toHaveLength(Math.ceil(6 / limit));
    }
  });

  test('a page has 30 members by default', async () => {
    const { hub, amara, people } = await aHubOf(opine, 30);
    const pages = await everyPage(amara, `/hubs/${hub.id}/members`);
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
    const found = await everyPage(amara, `/hubs/${hub.id}/members`, { q: 'somebody' });
    expect(found.flat()).toHaveLength(people.length - 1);
    expect(new Set(found.flat().map(({ userId }) => userId)).size).toBe(people.length - 1);
  });

  test('pagination neither repeats nor skips members while others join and leave', async () => {
    const { hub, amara, people } = await aHubOf(opine, 5);
    const [, , , jonas] = people;
    const first = await granted(amara.get(`/hubs/${hub.id}/members?limit=2`));
    await aMemberOf(opine, amara, hub, 'Newcomer');
    if (jonas) await granted(requestRemove(amara, hub, jonas));
    const rest = await membersOf(amara, hub, { limit: 2, cursor: first.nextCursor });
    // membersOf replaces this cursor from the second page on.
    const listed = [...first.items, ...rest].map(({ userId }) => userId);
    expect(listed).toEqual(newestFirst(people.filter((person) => person !== jonas)));
  });

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('the limit "%s" is 422', async (limit) => {
    const { hub, amara } = await aHubOf(opine, 0);
    for (const list of LISTS)
      expect(await amara.get(withQuery(`/hubs/${hub.id}/${list}`, { limit }))).toMatchObject(
        invalid('limit'),
      );
  });

  test.each(['', 'abc', 'null', 'e30', 'W10=', 'WzEsMl0', "' or 1=1 --", '\u0000', 'x'.repeat(5000)])(
    'the cursor %j is 422',
    async (cursor) => {
      const { hub, amara } = await aHubOf(opine, 0);
      const base = `/hubs/${hub.id}`;
      for (const path of [`${base}/members`, `${base}/admins`])
        expect(await amara.get(withQuery(path, { cursor }))).toMatchObject(invalid('cursor'));
      expect(await amara.get(withQuery(`${base}/members`, { q: 'a', cursor }))).toMatchObject(
        invalid('cursor'),
      );
    },
  );
});
