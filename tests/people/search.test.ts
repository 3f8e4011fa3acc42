import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, type Client, clientOf, expectOk, idsOf, type Json, withQuery } from '../support/client.ts';
import { follow, namedPerson, searchUsers } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  hubReadyPerson,
  registeredPerson,
} from '../support/people.ts';
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

describe('GET /search/users', () => {
  // docs/product.md P23
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

  // docs/product.md P11
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

  test('a page continues after the longest possible name', async () => {
    // Folding turns each of these letters into 18.
    const fullName = `Q${'\ufdfa'.repeat(79)}`;
    const people: string[] = [];
    for (const n of [1, 2, 3]) people.push((await namedPerson(opine, fullName, `longest_${n}`)).id);
    const pages = await allPages(guest, PATH, { q: fullName.slice(0, 3), limit: 1 });
    expect(idsOf(pages.flat())).toEqual(expect.arrayContaining(people));
  });
});
