import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import {
  aPersonNamed,
  everyPage,
  follow,
  found,
  granted,
  idsOf,
  NOBODY,
  withQuery,
} from '../support/graph.ts';
import { anOpine, type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aRegistered } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
let guest: Client;

beforeAll(async () => {
  opine = await startOpine();
  guest = aGuest(opine);
});

afterAll(() => opine.stop());

const PATH = '/search/users';
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

describe('a search', () => {
  test.each(['', ' ', 'x'.repeat(81), '🙂'.repeat(81), 'no\u0000t'])('is not for %j', async (q) => {
    expect(await guest.get(withQuery(PATH, { q }))).toMatchObject(invalid('q'));
  });

  test('is for something', async () => {
    expect(await guest.get(PATH)).toMatchObject(invalid('q'));
  });

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('has no limit like "%s"', async (limit) => {
    expect(await guest.get(withQuery(PATH, { q: 'amara', limit }))).toMatchObject(invalid('limit'));
  });

  test('goes on behind a name of the longest kind', async () => {
    // Each of these letters is compared as 18 others.
    const fullName = `Q${'\ufdfa'.repeat(79)}`;
    const people: string[] = [];
    for (const n of [1, 2, 3]) people.push((await aPersonNamed(opine, fullName, `longest_${n}`)).id);
    const pages = await everyPage(guest, PATH, { q: fullName.slice(0, 3), limit: 1 });
    expect(idsOf(pages.flat())).toEqual(expect.arrayContaining(people));
  });

  const forged = [
    [null, '', NOBODY.id],
    [2, null, NOBODY.id],
    [2, '', null],
    [9, '', NOBODY.id],
    [1, '', 'no id'],
    [1.5, '', NOBODY.id],
  ].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));

  test.each([
    ...forged,
    ...['', 'abc', 'null', 'e30', 'W10=', 'WzEsMl0', "' or 1=1 --", '\u0000', 'x'.repeat(5000)],
  ])('has no cursor like %j', async (cursor) => {
    expect(await guest.get(withQuery(PATH, { q: 'amara', cursor }))).toMatchObject(invalid('cursor'));
  });

  test('has no cursor of another list', async () => {
    const author = await aConfirmed(opine);
    for (const _ of [1, 2]) await aThought(author);
    for (const _ of [1, 2]) await follow(await aRegistered(opine), author);
    for (const path of ['/posts', `/users/${author.id}/followers`]) {
      const { nextCursor: cursor } = await granted(author.get(`${path}?limit=1`));
      expect(cursor).toEqual(expect.any(String));
      expect(await guest.get(withQuery(PATH, { q: 'amara', cursor }))).toMatchObject(invalid('cursor'));
    }
  });
});

test('thirty come to a page unless asked, and of those who are merely like it five hundred', async () => {
  const crowded = await anOpine();
  await sql`
    with made as (insert into app.users select from generate_series(1, 520) returning id)
    insert into app.profiles (user_id, username, full_name)
    select id, 'crowd_' || row_number() over (), 'Maximiliana ' || row_number() over () from made
  `.execute(crowded.database.superuser);
  const viewer = aGuest(crowded);
  const { items } = await granted(viewer.get(withQuery(PATH, { q: 'maximiliana' })));
  expect(items).toHaveLength(30);
  expect(new Set(await found(viewer, 'maximiliana', { limit: 100 })).size).toBe(520);
  const alike = await found(viewer, 'maximilliana', { limit: 100 });
  expect([alike.length, new Set(alike).size]).toEqual([500, 500]);
});
