import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { everyPage, granted, idsOf, NOBODY, withQuery } from '../support/graph.ts';
import { aHubWorld, previewOf } from '../support/hub-worlds.ts';
import { aHub, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, anAnonymous, type Person } from '../support/people.ts';
import { logOut } from '../support/sign-in.ts';

let opine: Opine;
let amara: Person;
let viewer: Client;

beforeAll(async () => {
  opine = await startOpine();
  amara = await aHubReady(opine, 'Amara');
  viewer = await anAnonymous(opine);
});

afterAll(() => opine.stop());

const PATH = '/search/hubs';
const search = (person: Client, query: object): Promise<Json> => granted(person.get(withQuery(PATH, query)));
const found = async (q: string, query: object = {}) =>
  idsOf((await everyPage(viewer, PATH, { q, ...query })).flat());
const aHubCalled = (name: string, fields: object = {}) => aHub(amara, { name, ...fields });
const invalid = (field: string) => refusal(422, 'VALIDATION_FAILED', { issues: [{ path: [field] }] });

describe('a Hub that is found', () => {
  test('is what tells it from others, and what it is to the viewer', async () => {
    const { hub, invitation, joinRequest, ...people } = await aHubWorld(opine, {
      name: 'Quokka Keepers',
      description: 'Small ones.',
      customLink: 'quokka-secret-link',
    });
    const shown = (viewerStatus: string, viewerRole: string | null = null, open: object = {}) => ({
      items: [{ ...previewOf(hub, 3, { viewerStatus, viewerRole }), ...open }],
      nextCursor: null,
    });
    const expected = {
      admin: shown('member', 'admin'),
      manager: shown('member', 'manager'),
      member: shown('member', 'member'),
      invited: shown('invited', null, { invitationId: invitation.id }),
      pending: shown('pending_admin_approval', null, { joinRequestId: joinRequest.id }),
      former: shown('none'),
      stranger: shown('none'),
    };
    for (const [standing, page] of Object.entries(expected))
      expect(await search(people[standing as keyof typeof expected], { q: 'quokka' }), standing).toEqual(
        page,
      );
    expect(await search(viewer, { q: 'quokka' })).toEqual(shown('none'));
  });

  test('goes by the name and the link of today', async () => {
    const hub = await aHubCalled('Wombats Before', { customLink: 'wombat-way' });
    await granted(amara.patch(`/hubs/${hub.id}`, { name: 'Xylophones After' }));
    await granted(amara.patch(`/hubs/${hub.id}/link`, { customLink: 'xylo-farm' }));
    for (const q of ['wombats', 'wombat-way', 'before']) expect(await found(q), q).toEqual([]);
    for (const q of ['xylophones', 'xylo-farm', 'after']) expect(await found(q), q).toEqual([hub.id]);
  });

  test('is none that has closed', async () => {
    const hub = await aHubCalled('Yaks United', { customLink: 'yaks-yard' });
    expect(await found('yaks')).toEqual([hub.id]);
    await granted(requestLeave(amara, hub));
    for (const q of ['yaks', 'yaks-yard', 'united', 'yaks unitd']) expect(await found(q), q).toEqual([]);
  });

  test('is none by its description, or by who is in it', async () => {
    await aHubCalled('Zebras', { description: 'Marsupials, too.' });
    for (const q of ['marsupials', amara.username, amara.phoneNumber, amara.phoneNumber.slice(2)])
      expect(await found(q), q).toEqual([]);
  });
});

describe('a name is found', () => {
  let linked: Json;

  beforeAll(async () => {
    linked = await aHubCalled('Nameable', { customLink: 'a-link-to-find' });
  });

  test.each([
    ['José Ibárruri Club', ['jose', 'JOSÉ', 'José', 'Jose\u0301', 'ibárruri', 'jose ibarruri', '@jose']],
    ['Göteborg Fanclub', ['GÖTEBORG', 'goteborg', 'fanclub', 'FanC']],
    ['Łódź Żółć', ['lodz', 'ŁÓDŹ', 'zolc']],
    ['Мария Иванова', ['мария', 'МАРИЯ', 'иван']],
    ['山田 太郎', ['山田', '太郎']],
    ["Siobhán's O'Grady", ['siobhan', "o'grady"]],
    ['Bartholomew Fitzgerald', ['Bartolomew Fitzgerald', 'bartholmew', 'fitzgerrald']],
  ])('%s', async (name, queries) => {
    const { id } = await aHubCalled(name);
    for (const q of queries) expect(await found(q), q).toContain(id);
  });

  test.each(['a-link-to-find', '@a-link-to-find', 'A-Link-To-Find', 'a-link-to', ' a-link-to-find '])(
    'and a link, by %j',
    async (q) => expect(await found(q)).toContain(linked.id),
  );
});

describe('the order', () => {
  let ordered: string[];

  beforeAll(async () => {
    // Not in the order in which they are to be found.
    const made = {
      fuzzyFar: await aHubCalled('Aleksandra Vu'),
      nameSecond: await aHubCalled('Alexandrabel Wu'),
      linkSecond: await aHubCalled('Zoe Ypsilon', { customLink: 'alexandra-b' }),
      exact: await aHubCalled('Zed Zulu', { customLink: 'alexandra' }),
      lastWord: await aHubCalled('Mia Alexandra'),
      nobody: await aHubCalled('Wolfgang Petersen', { customLink: 'wolfgang' }),
      linkFirst: await aHubCalled('Yan Xu', { customLink: 'alexandra-a' }),
      fuzzyNear: await aHubCalled('Alexandrea Vu'),
      nameFirst: await aHubCalled('Alexandra Ames'),
    };
    const { exact, linkFirst, linkSecond, nameFirst, nameSecond, lastWord, fuzzyNear, fuzzyFar } = made;
    ordered = idsOf([exact, linkFirst, linkSecond, nameFirst, nameSecond, lastWord, fuzzyNear, fuzzyFar]);
  });

  test.each(['alexandra', '@alexandra', 'ALEXANDRA', 'alexandrá', ' alexandra '])(
    'is by link, by name, and by likeness, for %j',
    async (q) => expect(await found(q)).toEqual(ordered),
  );

  test.each([1, 2, 3, 4, 5, 7, 8, 9, 100])('holds from page to page of %i, with each once', async (limit) => {
    const pages = await everyPage(viewer, PATH, { q: 'alexandra', limit });
    expect(pages.flatMap(idsOf)).toEqual(ordered);
    expect(pages).toHaveLength(Math.ceil(ordered.length / limit));
  });
});

test('a page has thirty Hubs unless asked, of one name as well', async () => {
  for (const _ of Array(31).keys()) await aHubCalled('Twin Sisters');
  const pages = await everyPage(viewer, PATH, { q: 'twin sisters' });
  expect(pages.map(({ length }) => length)).toEqual([30, 1]);
  expect(new Set(pages.flatMap(idsOf)).size).toBe(31);
});

describe('what is no name finds nothing', () => {
  test.each(['%', '%%', '_', '\\', "'", '"', '*', '.*', '-', '?', '@', '!!!', '%_\\', '🦊', '&|!:*()'])(
    'like %j',
    async (q) => {
      await aHubCalled('100% "Backslash" \\');
      expect(await search(viewer, { q })).toEqual({ items: [], nextCursor: null });
    },
  );

  test.each(["' or 1=1 --", 'h_ndred', 'zzqqxxjj', '🦊'.repeat(80), 'x'.repeat(80)])('like %j', async (q) =>
    expect(await found(q)).toEqual([]),
  );
});

describe('a search', () => {
  test('is for whoever has a bearer, of level 1 at least', async () => {
    const gone = await aHubReady(opine);
    await logOut(opine, gone.session);
    for (const caller of [aGuest(opine), gone])
      expect(await caller.get(`${PATH}?q=elm`)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    for (const caller of [await anAnonymous(opine), await aHubReady(opine)])
      expect((await caller.get(`${PATH}?q=elm`)).status).toBe(200);
  });

  test.each(['', ' ', 'x'.repeat(81), '🙂'.repeat(81), 'no\u0000t'])('is not for %j', async (q) => {
    expect(await viewer.get(withQuery(PATH, { q }))).toMatchObject(invalid('q'));
  });

  test('is for something', async () => expect(await viewer.get(PATH)).toMatchObject(invalid('q')));

  test.each(['0', '101', '-1', '1.5', 'ten', ''])('has no limit like "%s"', async (limit) => {
    expect(await viewer.get(withQuery(PATH, { q: 'elm', limit }))).toMatchObject(invalid('limit'));
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
    '',
    'abc',
    'null',
    'e30',
    'W10=',
    'WzEsMl0',
    "' or 1=1 --",
    '\u0000',
    'x'.repeat(5000),
  ])('has no cursor like %j', async (cursor) => {
    expect(await viewer.get(withQuery(PATH, { q: 'elm', cursor }))).toMatchObject(invalid('cursor'));
  });
});
