import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  clientOf,
  expectOk,
  idsOf,
  type Json,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { follow, namedPerson, searchUsers } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  registeredPerson,
} from '../support/people.ts';
import { aThought } from '../support/posts.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;
let guest: Client;

beforeAll(async () => {
  opine = await startOpine();
  guest = aGuest(opine);
});

afterAll(() => opine.stop());

const PATH = '/search/users';
const search = (viewer: Client, query: object): Promise<Json> => expectOk(viewer.get(withQuery(PATH, query)));

const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

describe('GET /search/users', () => {
  test('a hit holds the public fields of a user and whether the viewer follows them', async () => {
    const amara = await namedPerson(opine, 'Amara Hitchens', 'amara_hit');
    await expectOk(amara.patch('/users/me/profile', { bio: 'Gardens.' }));
    const shown = {
      id: amara.id,
      name: 'Amara Hitchens',
      username: 'amara_hit',
      profilePhotoUrl: null,
      bio: 'Gardens.',
    };
    expect(await search(guest, { q: 'amara_hit' })).toEqual({ items: [shown], nextCursor: null });
    const viewer = await registeredPerson(opine);
    expect((await search(viewer, { q: 'amara_hit' })).items).toEqual([{ ...shown, viewerFollows: false }]);
    await follow(viewer, amara);
    expect((await search(viewer, { q: 'amara_hit' })).items).toEqual([{ ...shown, viewerFollows: true }]);
    expect((await search(await anonymousPerson(opine), { q: 'amara_hit' })).items[0].viewerFollows).toBe(
      false,
    );
  });

  test('a viewer with an invalid bearer gets the hits of a guest', async () => {
    const amara = await namedPerson(opine, 'Amara Bearer', 'amara_bearer');
    const viewer = await registeredPerson(opine);
    await follow(viewer, amara);
    await logOut(opine, viewer.session);
    for (const caller of [viewer, clientOf(opine.url, 'no.good.token')]) {
      const { items } = await search(caller, { q: 'amara_bearer' });
      expect(idsOf(items)).toEqual([amara.id]);
      expect(items[0]).not.toHaveProperty('viewerFollows');
    }
  });

  test('a former name or username finds nobody', async () => {
    const amara = await namedPerson(opine, 'Wilhelmina Former', 'wilhelmina_f');
    await expectOk(amara.patch('/users/me/profile', { fullName: 'Xanthippe Later', username: 'xan_later' }));
    for (const q of ['xanthippe', 'xan_later', 'xantippe'])
      expect(await searchUsers(guest, q)).toEqual([amara.id]);
    for (const q of ['wilhelmina', 'wilhelmina_f']) expect(await searchUsers(guest, q)).toEqual([]);
  });

  test.each([
    ['José Ibarruri', 'in_one', ['jose', 'JOSÉ', 'José', 'Jose\u0301', 'ibárruri', 'jose ibarruri']],
    ['Jose\u0301 Urrutia', 'in_two', ['josé urrutia', 'urrutia']],
    ['Göteborg Fanclub', 'in_three', ['GÖTEBORG', 'goteborg', 'göteborg', 'fanclub', 'FanC']],
    ['Łukasz Żółć', 'in_four', ['lukasz', 'ŁUKASZ', 'zolc', 'żółć']],
    ['Søren Ångström', 'in_five', ['soren', 'SØREN', 'angstrom', 'ång']],
    ['Мария Иванова', 'in_six', ['мария', 'МАРИЯ', 'иван']],
    ['山田 太郎', 'in_seven', ['山田', '太郎']],
    ["Siobhán O'Grady", 'in_eight', ['siobhan', "o'grady", "O'G"]],
    [
      'Anna Quickly',
      'handle_of_anna',
      ['handle_of_anna', '@handle_of_anna', 'HANDLE_OF_ANNA', '@handle_of', 'quickly'],
    ],
  ])('the name of %s is found in any case and without accents', async (fullName, username, queries) => {
    const { id } = await namedPerson(opine, fullName, username);
    for (const q of queries) expect(await searchUsers(guest, q), q).toContain(id);
  });

  test('a phone number finds nobody and is in no answer', async () => {
    const owner = await hubReadyPerson(opine, 'Quentin Tarleton');
    const { phoneNumber } = owner;
    const numbers = [phoneNumber, phoneNumber.slice(1), phoneNumber.slice(-10), phoneNumber.slice(-7)];
    for (const q of [...numbers, `@${phoneNumber}`, phoneNumber.slice(0, 8)]) {
      for (const viewer of [guest, owner, await confirmedPerson(opine)]) {
        expect(await searchUsers(viewer, q)).not.toContain(owner.id);
      }
    }
    for (const viewer of [guest, owner, await hubReadyPerson(opine)]) {
      const text = JSON.stringify(await search(viewer, { q: 'quentin' }));
      expect(text).toContain(owner.id);
      expect(text).not.toContain(phoneNumber.slice(-7));
      expect(text).not.toMatch(/phone/i);
    }
  });

  test.each(['', ' ', 'x'.repeat(81), '🙂'.repeat(81), 'no\u0000t'])('the query %j is refused', async (q) => {
    expect(await guest.get(withQuery(PATH, { q }))).toMatchObject(invalid('q'));
  });

  test('a request without a query is refused', async () => {
    expect(await guest.get(PATH)).toMatchObject(invalid('q'));
  });

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('the limit "%s" is refused', async (limit) => {
    expect(await guest.get(withQuery(PATH, { q: 'amara', limit }))).toMatchObject(invalid('limit'));
  });

  test('a page continues after the longest possible name', async () => {
    // Folding turns each of these letters into 18.
    const fullName = `Q${'\ufdfa'.repeat(79)}`;
    const people: string[] = [];
    for (const n of [1, 2, 3]) people.push((await namedPerson(opine, fullName, `longest_${n}`)).id);
    const pages = await allPages(guest, PATH, { q: fullName.slice(0, 3), limit: 1 });
    expect(idsOf(pages.flat())).toEqual(expect.arrayContaining(people));
  });

  const forged = [
    [null, '', NONEXISTENT.id],
    [2, null, NONEXISTENT.id],
    [2, '', null],
    [9, '', NONEXISTENT.id],
    [1, '', 'no id'],
    [1.5, '', NONEXISTENT.id],
  ].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));

  test.each([
    ...forged,
    ...['', 'abc', 'null', 'e30', 'W10=', 'WzEsMl0', "' or 1=1 --", '\u0000', 'x'.repeat(5000)],
  ])('the cursor %j is refused', async (cursor) => {
    expect(await guest.get(withQuery(PATH, { q: 'amara', cursor }))).toMatchObject(invalid('cursor'));
  });

  test('a cursor of another list is refused', async () => {
    const author = await confirmedPerson(opine);
    for (const _ of [1, 2]) await aThought(author);
    for (const _ of [1, 2]) await follow(await registeredPerson(opine), author);
    for (const path of ['/posts', `/users/${author.id}/followers`]) {
      const { nextCursor: cursor } = await expectOk(author.get(`${path}?limit=1`));
      expect(cursor).toEqual(expect.any(String));
      expect(await guest.get(withQuery(PATH, { q: 'amara', cursor }))).toMatchObject(invalid('cursor'));
    }
  });
});

describe('a query without letters', () => {
  beforeAll(async () => {
    await namedPerson(opine, '100% "Backslash" \\', 'hundred_percent');
  });

  test.each(['%', '_', '\\', "'", '"', '.*', '@', '🦊', '&|!:*()'])(
    'the query %j finds nobody',
    async (q) => {
      expect(await search(guest, { q })).toEqual({ items: [], nextCursor: null });
    },
  );

  test.each(["' or 1=1 --", 'hundred%percent', 'h_ndred_percent%', '\\%', '🦊'.repeat(80)])(
    'the query %j is no pattern',
    async (q) => expect((await search(guest, { q })).items.length).toBeLessThanOrEqual(1),
  );
});
