import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allPages, type Client, expectOk, idsOf, type Json, withQuery } from '../support/client.ts';
import { aHub, aHubWorld, hubPreview } from '../support/hubs.ts';
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
  // docs/product.md H26
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
    for (const [person, page] of [
      [people.manager, expectedPage('member', 'manager')],
      [people.invited, expectedPage('invited', null, { invitationId: invitation.id })],
      [people.pending, expectedPage('pending_admin_approval', null, { joinRequestId: joinRequest.id })],
      [people.former, expectedPage('none')],
      [viewer, expectedPage('none')],
    ] as const)
      expect(await search(person, { q: 'quokka' })).toEqual(page);
  });
});

describe('matches of a query', () => {
  // docs/product.md H26
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

  test('queries find the beginning of a custom link, also after @ and in other case', async () => {
    const { id } = await createHub('Nameable', { customLink: 'a-link-to-find' });
    for (const q of ['a-link-to', '@a-link-to-find', 'A-Link-To-Find', ' a-link-to-find '])
      expect(await found(q), q).toContain(id);
  });
});

test('queries of symbols, wildcards and unknown words find nothing', async () => {
  await createHub('100% "Backslash" \\');
  const symbols = ['%', '%%', '_', '\\', "'", '"', '*', '.*', '-', '?', '@', '!!!', '%_\\', '🦊', '&|!:*()'];
  for (const q of [...symbols, "' or 1=1 --", 'h_ndred', 'zzqqxxjj', '🦊'.repeat(80), 'x'.repeat(80)])
    expect(await search(viewer, { q }), q).toEqual({ items: [], nextCursor: null });
});
