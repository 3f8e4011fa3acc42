import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  expectOk,
  idsOf,
  type Json,
  NONEXISTENT,
  withQuery,
} from '../support/client.ts';
import { aHub, aHubWorld, hubPreview, invalid } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { anonymousPerson, hubReadyPerson, type Person } from '../support/people.ts';

let opine: Opine;
let amara: Person;
let viewer: Client;

beforeAll(async () => {
  opine = await startOpine();
  amara = await hubReadyPerson(opine, 'Amara');
  viewer = await anonymousPerson(opine);
});

afterAll(() => opine.stop());

const PATH = '/search/hubs';
const search = (person: Client, query: object): Promise<Json> => expectOk(person.get(withQuery(PATH, query)));

const found = async (q: string, query: object = {}) =>
  idsOf((await allPages(viewer, PATH, { q, ...query })).flat());

const createHub = (name: string, fields: object = {}) => aHub(amara, { name, ...fields });

describe('GET /search/hubs', () => {
  test('a result has the preview and the status of the viewer', async () => {
    const { hub, invitation, joinRequest, ...people } = await aHubWorld(opine, {
      name: 'Quokka Keepers',
      description: 'Small ones.',
      customLink: 'quokka-secret-link',
    });
    const expectedPage = (viewerStatus: string, viewerRole: string | null = null, open: object = {}) => ({
      items: [{ ...hubPreview(hub, 3, { viewerStatus, viewerRole }), ...open }],
      nextCursor: null,
    });
    const expected = {
      admin: expectedPage('member', 'admin'),
      manager: expectedPage('member', 'manager'),
      member: expectedPage('member', 'member'),
      invited: expectedPage('invited', null, { invitationId: invitation.id }),
      pending: expectedPage('pending_admin_approval', null, { joinRequestId: joinRequest.id }),
      former: expectedPage('none'),
      uninvited: expectedPage('none'),
    };
    for (const [membershipStatus, page] of Object.entries(expected))
      expect(
        await search(people[membershipStatus as keyof typeof expected], { q: 'quokka' }),
        membershipStatus,
      ).toEqual(page);
    expect(await search(viewer, { q: 'quokka' })).toEqual(expectedPage('none'));
  });

  test('the query matches the current name and custom link', async () => {
    const hub = await createHub('Wombats Before', { customLink: 'wombat-way' });
    await expectOk(amara.patch(`/hubs/${hub.id}`, { name: 'Xylophones After' }));
    await expectOk(amara.patch(`/hubs/${hub.id}/link`, { customLink: 'xylo-farm' }));
    for (const q of ['wombats', 'wombat-way', 'before']) expect(await found(q), q).toEqual([]);
    for (const q of ['xylophones', 'xylo-farm', 'after']) expect(await found(q), q).toEqual([hub.id]);
  });

  test('the query matches neither description nor members', async () => {
    await createHub('Zebras', { description: 'Marsupials, too.' });
    for (const q of ['marsupials', amara.username, amara.phoneNumber, amara.phoneNumber.slice(2)])
      expect(await found(q), q).toEqual([]);
  });
});

describe('matches of a query', () => {
  let linked: Json;

  beforeAll(async () => {
    linked = await createHub('Nameable', { customLink: 'a-link-to-find' });
  });

  test.each([
    ['José Ibárruri Club', ['jose', 'JOSÉ', 'José', 'Jose\u0301', 'ibárruri', 'jose ibarruri', '@jose']],
    ['Göteborg Fanclub', ['GÖTEBORG', 'goteborg', 'fanclub', 'FanC']],
    ['Łódź Żółć', ['lodz', 'ŁÓDŹ', 'zolc']],
    ['Мария Иванова', ['мария', 'МАРИЯ', 'иван']],
    ['山田 太郎', ['山田', '太郎']],
    ["Siobhán's O'Grady", ['siobhan', "o'grady"]],
    ['Bartholomew Fitzgerald', ['Bartolomew Fitzgerald', 'bartholmew', 'fitzgerrald']],
  ])('queries by word beginnings, without accents or with typos find %s', async (name, queries) => {
    const { id } = await createHub(name);
    for (const q of queries) expect(await found(q), q).toContain(id);
  });

  test.each(['a-link-to-find', '@a-link-to-find', 'A-Link-To-Find', 'a-link-to', ' a-link-to-find '])(
    'the query %j finds a custom link',
    async (q) => expect(await found(q)).toContain(linked.id),
  );
});

describe('the order of results', () => {
  let ordered: string[];

  beforeAll(async () => {
    // The order of creation differs from the order of results.
    const hubs = {
      fuzzyFar: await createHub('Aleksandra Vu'),
      nameSecond: await createHub('Alexandrabel Wu'),
      linkSecond: await createHub('Zoe Ypsilon', { customLink: 'alexandra-b' }),
      exact: await createHub('Zed Zulu', { customLink: 'alexandra' }),
      lastWord: await createHub('Mia Alexandra'),
      nobody: await createHub('Wolfgang Petersen', { customLink: 'wolfgang' }),
      linkFirst: await createHub('Yan Xu', { customLink: 'alexandra-a' }),
      fuzzyNear: await createHub('Alexandrea Vu'),
      nameFirst: await createHub('Alexandra Ames'),
    };
    const { exact, linkFirst, linkSecond, nameFirst, nameSecond, lastWord, fuzzyNear, fuzzyFar } = hubs;
    ordered = idsOf([exact, linkFirst, linkSecond, nameFirst, nameSecond, lastWord, fuzzyNear, fuzzyFar]);
  });

  test.each(['alexandra', '@alexandra', 'ALEXANDRA', 'alexandrá', ' alexandra '])(
    'the query %j finds links first, then names, then similar names',
    async (q) => expect(await found(q)).toEqual(ordered),
  );

  test.each([1, 2, 3, 4, 5, 7, 8, 9, 100])('pages of %i list each Hub once in this order', async (limit) => {
    const pages = await allPages(viewer, PATH, { q: 'alexandra', limit });
    expect(pages.flatMap(idsOf)).toEqual(ordered);
    expect(pages).toHaveLength(Math.ceil(ordered.length / limit));
  });
});

describe('queries without matches', () => {
  test.each(['%', '%%', '_', '\\', "'", '"', '*', '.*', '-', '?', '@', '!!!', '%_\\', '🦊', '&|!:*()'])(
    'the query %j without letters and digits finds nothing',
    async (q) => {
      await createHub('100% "Backslash" \\');
      expect(await search(viewer, { q })).toEqual({ items: [], nextCursor: null });
    },
  );

  test.each(["' or 1=1 --", 'h_ndred', 'zzqqxxjj', '🦊'.repeat(80), 'x'.repeat(80)])(
    'the query %j finds nothing',
    async (q) => expect(await found(q)).toEqual([]),
  );
});

describe('refused searches', () => {
  const forged = [
    [null, '', NONEXISTENT.id],
    [2, null, NONEXISTENT.id],
    [2, '', null],
    [9, '', NONEXISTENT.id],
    [1, '', 'no id'],
    [1.5, '', NONEXISTENT.id],
  ].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));

  test.each([...forged, '', 'abc', 'e30', '\u0000'])('the cursor %j is 422', async (cursor) => {
    expect(await viewer.get(withQuery(PATH, { q: 'elm', cursor }))).toMatchObject(invalid('cursor'));
  });
});
