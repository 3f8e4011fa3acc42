import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, type Json } from '../support/client.ts';
import { aPersonNamed, everyPage, follow, found, granted, idsOf, withQuery } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aHubReady, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;
let guest: Client;

beforeAll(async () => {
  opine = await startOpine();
  guest = aGuest(opine);
});

afterAll(() => opine.stop());

const PATH = '/search/users';
const search = (viewer: Client, query: object): Promise<Json> => granted(viewer.get(withQuery(PATH, query)));

describe('a hit', () => {
  test('is a person as everybody may see them', async () => {
    const amara = await aPersonNamed(opine, 'Amara Hitchens', 'amara_hit');
    await granted(amara.patch('/users/me/profile', { bio: 'Gardens.' }));
    const shown = {
      id: amara.id,
      name: 'Amara Hitchens',
      username: 'amara_hit',
      profilePhotoUrl: null,
      bio: 'Gardens.',
    };
    expect(await search(guest, { q: 'amara_hit' })).toEqual({ items: [shown], nextCursor: null });
    const viewer = await aRegistered(opine);
    expect((await search(viewer, { q: 'amara_hit' })).items).toEqual([{ ...shown, viewerFollows: false }]);
    await follow(viewer, amara);
    expect((await search(viewer, { q: 'amara_hit' })).items).toEqual([{ ...shown, viewerFollows: true }]);
    expect((await search(await anAnonymous(opine), { q: 'amara_hit' })).items[0].viewerFollows).toBe(false);
  });

  test("of whoever has no good bearer is a guest's", async () => {
    const amara = await aPersonNamed(opine, 'Amara Bearer', 'amara_bearer');
    const viewer = await aRegistered(opine);
    await follow(viewer, amara);
    await logOut(opine, viewer.session);
    for (const caller of [viewer, clientOf(opine.url, 'no.good.token')]) {
      const { items } = await search(caller, { q: 'amara_bearer' });
      expect(idsOf(items)).toEqual([amara.id]);
      expect(items[0]).not.toHaveProperty('viewerFollows');
    }
  });

  test('is nobody who has no name, or whose account has ended', async () => {
    await anAnonymous(opine);
    const gone = await aPersonNamed(opine, 'Vanished Voyager', 'vanished_v');
    expect(await found(guest, 'vanished')).toEqual([gone.id]);
    await gone.delete('/users/me');
    for (const q of ['vanished', 'vanished_v', 'voyager', 'vanishd'])
      expect(await found(guest, q)).toEqual([]);
  });

  test('goes by the name and handle of today', async () => {
    const amara = await aPersonNamed(opine, 'Wilhelmina Former', 'wilhelmina_f');
    await granted(amara.patch('/users/me/profile', { fullName: 'Xanthippe Later', username: 'xan_later' }));
    for (const q of ['xanthippe', 'xan_later', 'xantippe']) expect(await found(guest, q)).toEqual([amara.id]);
    for (const q of ['wilhelmina', 'wilhelmina_f']) expect(await found(guest, q)).toEqual([]);
  });
});

describe('a name is found', () => {
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
  ])('of %s', async (fullName, username, queries) => {
    const { id } = await aPersonNamed(opine, fullName, username);
    for (const q of queries) expect(await found(guest, q), q).toContain(id);
  });

  test.each([
    'Bartolomew Fitzgerald',
    'Bartholomew Fitzgerld',
    'bartholmew',
    'fitzgerrald',
    'bartholomew_ftiz',
  ])('with a slip of the finger: "%s"', async (q) => {
    const { rows } = await sql<{ user_id: string }>`
        select user_id from app.profiles where username = 'bartholomew_fitz'`.execute(
      opine.database.superuser,
    );
    const id =
      rows[0]?.user_id ?? (await aPersonNamed(opine, 'Bartholomew Fitzgerald', 'bartholomew_fitz')).id;
    expect(await found(guest, q)).toContain(id);
  });
});

describe('the order', () => {
  let people: Person[];
  let ordered: Opine;

  beforeAll(async () => {
    ordered = await startOpine();
    // Not in the order in which they are to be found.
    const named = {
      fuzzyFar: ['Aleksandra Vu', 'qqa'],
      nameSecond: ['Alexandrabel Wu', 'aab'],
      handleSecond: ['Zoe Ypsilon', 'alexandrab'],
      exact: ['Zed Zulu', 'alexandra'],
      lastName: ['Mia Alexandra', 'zzc'],
      nobody: ['Wolfgang Petersen', 'wolfgang'],
      handleFirst: ['Yan Xu', 'alexandraa'],
      fuzzyNear: ['Alexandrea Vu', 'qqb'],
      nameFirst: ['Alexandra Ames', 'mmm'],
    } as const;
    const byKey: Record<string, Person> = {};
    for (const [key, [fullName, username]] of Object.entries(named)) {
      byKey[key] = await aPersonNamed(ordered, fullName, username);
    }
    const keys = [
      'exact',
      'handleFirst',
      'handleSecond',
      'nameFirst',
      'nameSecond',
      'lastName',
      'fuzzyNear',
      'fuzzyFar',
    ];
    people = keys.flatMap((key) => byKey[key] ?? []);
  });

  afterAll(() => ordered.stop());

  test('is exact handle, begin of a handle, begin of a name, and what is like it', async () => {
    const { items } = await search(aGuest(ordered), { q: 'alexandra' });
    expect(items.map(({ username }: Json) => username)).toEqual(people.map(({ username }) => username));
  });

  test.each(['@alexandra', 'ALEXANDRA', 'alexandrá', ' alexandra '])('is the same for %j', async (q) => {
    expect(await found(aGuest(ordered), q)).toEqual(idsOf(people));
  });

  test.each([1, 2, 3, 4, 5, 7, 8, 9, 100])('holds from page to page of %i, with each once', async (limit) => {
    const pages = await everyPage(aGuest(ordered), PATH, { q: 'alexandra', limit });
    expect(pages.flatMap(idsOf)).toEqual(idsOf(people));
    expect(pages).toHaveLength(Math.ceil(people.length / limit));
  });

  test('holds where people come and go meanwhile: nobody else comes twice or is skipped', async () => {
    const walked: string[] = [];
    const [exact, , handleSecond] = people;
    let cursor: string | null = null;
    do {
      const page: Json = await search(aGuest(ordered), {
        q: 'alexandra',
        limit: 2,
        ...(cursor && { cursor }),
      });
      walked.push(...idsOf(page.items));
      if (cursor === null) {
        await aPersonNamed(ordered, 'Yet Another', 'alexandra0');
        await exact?.patch('/users/me/profile', { bio: 'Still here.' });
        await handleSecond?.delete('/users/me');
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(walked).toEqual(idsOf(people.filter((person) => person !== handleSecond)));
  });
});

describe('what is no name finds nobody', () => {
  beforeAll(async () => {
    await aPersonNamed(opine, '100% "Backslash" \\', 'hundred_percent');
  });

  test.each([
    '%',
    '%%',
    '_',
    '___',
    '\\',
    '\\\\',
    "'",
    '"',
    '*',
    '.*',
    '.',
    '-',
    '?',
    '@',
    '!!!',
    '%_\\',
    '🦊',
    '&|!:*()',
  ])('like %j', async (q) => expect(await search(guest, { q })).toEqual({ items: [], nextCursor: null }));

  test.each([
    "' or 1=1 --",
    'hundred%percent',
    'h_ndred_percent%',
    '\\%',
    'zzqqxxjj',
    '🦊'.repeat(80),
    'x'.repeat(80),
  ])('like %j, which stands for itself', async (q) =>
    expect((await search(guest, { q })).items.length).toBeLessThanOrEqual(1),
  );

  test('but a part of it may be one', async () => {
    const { id } = await aPersonNamed(opine, '🦊 Foxtrotter', 'fox_t');
    for (const q of ['foxtrotter', '🦊 foxtrotter', '%foxtrotter'])
      expect(await found(guest, q)).toContain(id);
  });
});

test('no phone number finds anybody or is shown', async () => {
  const owner = await aHubReady(opine, 'Quentin Tarleton');
  const { phoneNumber } = owner;
  const numbers = [phoneNumber, phoneNumber.slice(1), phoneNumber.slice(-10), phoneNumber.slice(-7)];
  for (const q of [...numbers, `@${phoneNumber}`, phoneNumber.slice(0, 8)]) {
    for (const viewer of [guest, owner, await aConfirmed(opine)]) {
      expect(await found(viewer, q)).not.toContain(owner.id);
    }
  }
  for (const viewer of [guest, owner, await aHubReady(opine)]) {
    const text = JSON.stringify(await search(viewer, { q: 'quentin' }));
    expect(text).toContain(owner.id);
    expect(text).not.toContain(phoneNumber.slice(-7));
    expect(text).not.toMatch(/phone/i);
  }
});
