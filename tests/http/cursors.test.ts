import { sql } from 'kysely';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { ROUTES } from '../../src/domains/all.ts';
import { expectOk, type Json, type Reply } from '../support/client.ts';
import { changedAt, PLAIN_CURSORS, readableIn, respellingsOf } from '../support/cursors.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { type OpineWithIdp, startOpineWithIdp } from '../support/id-tokens.ts';
import {
  addressWith,
  createListWorld,
  LISTS,
  type List,
  type ListWorld,
  type Reader,
} from '../support/lists.ts';
import { redefinitions } from '../support/mutations.ts';

type Operation = (typeof ROUTES)[number];

/** Lists whose cursors are changed at every character; those of the others are changed here and there. */
const CHANGED_EVERYWHERE = ['blocked people', 'people found', 'the trending home feed', 'comments'];
const SAMPLES = 6;
const AT_ONCE = 6;

const parametersOf = ({ params = {}, query }: Operation): string[] => [
  ...Object.keys(params),
  ...Object.keys((query as z.ZodObject | undefined)?.shape ?? {}),
];
const PAGINATED = ROUTES.filter((route) => parametersOf(route).includes('cursor'));

function routeOf({ operation }: List): Operation {
  const route = PAGINATED.find(({ id }) => id === operation);
  if (route === undefined) throw new Error(`${operation} is no list with a cursor.`);
  return route;
}

const isOfStaff = (list: List) => routeOf(list).auth === 'staff';
const isOpenToGuests = (list: List) => routeOf(list).auth === 'optional';
/** Whether a cursor is good for everybody (docs/product.md W6). */
const isForEverybody = (list: List) =>
  isOpenToGuests(list) && list.operation !== 'get_home_feed' && !list.isOfMembers;

let opine: OpineWithIdp;
let world: ListWorld;
let document: ApiDocument;
/** The cursor after the first entry of each list, with both of its first entries. */
let places: ReadonlyMap<List, { cursor: string; entries: Json[] }>;

beforeAll(async () => {
  opine = await startOpineWithIdp();
  world = await createListWorld(opine);
  document = await readDocument(opine.url);
  places = new Map(await concurrently(LISTS, async (list) => [list, await placeIn(list)] as const));
});

afterAll(() => opine.stop());

function concurrently<One, Result>(
  all: readonly One[],
  use: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const limited = pLimit(AT_ONCE);
  return Promise.all(all.map((one) => limited(() => use(one))));
}

const readerOf = (list: List): Reader => (isOfStaff(list) ? world.nina : world.maya);
/** Returns others who may read the list. */
function othersWhoMayRead(list: List): Reader[] {
  if (isOfStaff(list)) return [world.otto];
  // Guests read no list of a Hub.
  const isOfHub = list.at(world).includes('hubId=');
  return isOpenToGuests(list) && !isOfHub ? [world.jonas, world.guest] : [world.jonas];
}

async function placeIn(list: List): Promise<{ cursor: string; entries: Json[] }> {
  const { nextCursor: cursor } = await expectOk(pageOf(list, { limit: '1' }));
  const { items: entries } = await expectOk(pageOf(list, { limit: '2' }));
  if (entries.length < 2 || cursor === null) throw new Error(`${list.name}: fewer than two entries.`);
  return { cursor, entries };
}

function pageOf(list: List, query: Readonly<Record<string, string>>): Promise<Reply> {
  return readerOf(list).get(addressWith(list.at(world), query));
}

function placeOf(list: List): { cursor: string; entries: Json[] } {
  const place = places.get(list);
  if (place === undefined) throw new Error(`${list.name}: no cursor.`);
  return place;
}

/** Returns the addresses at which a reader is not refused a cursor with 422 and an issue of `cursor`. */
async function acceptedAt(
  addresses: readonly string[],
  cursor: string,
  readerAt: (address: string) => Reader,
): Promise<string[]> {
  const answers = await concurrently(addresses, async (address) => {
    const { status, error } = await readerAt(address).get(addressWith(address, { limit: '1', cursor }));
    const paths = error?.details.issues?.map(({ path }: Json) => path.join('.')).join();
    return status === 422 && paths === 'cursor' ? [] : [`${address}: ${status}`];
  });
  return answers.flat();
}

/** Returns the texts that a list does not refuse as a cursor. */
async function acceptedAs(list: List, texts: readonly string[]): Promise<string[]> {
  const accepted = await concurrently(texts, async (text) => {
    const refused = await acceptedAt([list.at(world)], text, () => readerOf(list));
    return refused.length === 0 ? [] : [text];
  });
  return accepted.flat();
}

const readerAt = (address: string): Reader => (address.startsWith('/admin/') ? world.nina : world.maya);

test('the table of lists has every operation with a cursor', () => {
  const listed = new Set(LISTS.map(({ operation }) => operation));
  expect([...listed].sort()).toEqual(PAGINATED.map(({ id }) => id).sort());
});

test.for(PAGINATED)(
  'the table of lists has two lists of $id that differ in each of its parameters',
  (route) => {
    const addresses = LISTS.filter(({ operation }) => operation === route.id).flatMap((list) => [
      list.at(world),
      ...(list.beside?.(world) ?? []),
    ]);
    const isVaried = (name: string) =>
      new Set(addresses.map((address) => valueIn(route, address, name))).size > 1;
    expect(
      parametersOf(route)
        .filter((name) => !isVaried(name))
        .sort(),
    ).toEqual(['cursor', 'limit']);
  },
);

/** Returns the value of a parameter in an address, or null. */
function valueIn({ path }: Operation, address: string, name: string): string | null {
  const [asked = '', query] = address.split('?');
  const index = path.split('/').indexOf(`{${name}}`);
  return index < 0 ? new URLSearchParams(query).get(name) : (asked.split('/')[index] ?? null);
}

// docs/product.md W6
test.for(LISTS)('the cursor of $name continues after the first entry, whatever the limit', async (list) => {
  const { cursor, entries } = placeOf(list);
  for (const query of [{ limit: '1' }, { limit: '50' }, {}]) {
    const { items } = await expectOk(pageOf(list, { ...query, cursor }));
    expect(items[0]).toEqual(entries[1]);
  }
});

// docs/product.md W6
test.for(LISTS.filter(({ written }) => written))(
  'the cursor of $name is good with and without a default written out',
  async (list) => {
    const { cursor, entries } = placeOf(list);
    const address = addressWith(list.written?.(world) ?? '', { limit: '1' });
    const { items } = await expectOk(readerOf(list).get(addressWith(address, { cursor })));
    const { nextCursor } = await expectOk(readerOf(list).get(address));
    const second = await expectOk(pageOf(list, { limit: '1', cursor: nextCursor }));
    expect([items, second.items]).toEqual([[entries[1]], [entries[1]]]);
  },
);

// docs/product.md W6
test.for(LISTS)('the cursor of $name is refused with 422 by every other list', async (list) => {
  const others = LISTS.filter((other) => other !== list).map((other) => other.at(world));
  expect(await acceptedAt(others, placeOf(list).cursor, readerAt)).toEqual([]);
});

// docs/product.md W6
test.for(LISTS.filter(({ beside }) => beside))(
  'the cursor of $name is refused with 422 for another id or parameter',
  async (list) => {
    const beside = list.beside?.(world) ?? [];
    for (const address of beside) await expectOk(readerOf(list).get(address));
    expect(await acceptedAt(beside, placeOf(list).cursor, readerAt)).toEqual([]);
  },
);

// docs/product.md W6
test.for(LISTS.filter(isForEverybody))('the cursor of $name is good for another caller', async (list) => {
  const address = addressWith(list.at(world), { cursor: placeOf(list).cursor });
  for (const caller of othersWhoMayRead(list)) await expectOk(caller.get(address));
});

// docs/product.md W6
test.for(LISTS.filter((list) => !isForEverybody(list)))(
  'the cursor of $name is refused with 422 for another caller',
  async (list) => {
    for (const caller of othersWhoMayRead(list)) {
      await expectOk(caller.get(list.at(world)));
      expect(await acceptedAt([list.at(world)], placeOf(list).cursor, () => caller)).toEqual([]);
    }
  },
);

// docs/product.md W6
test.for(LISTS)('the cursor of $name is refused with 422 where a character is changed', async (list) => {
  const { cursor } = placeOf(list);
  const step = CHANGED_EVERYWHERE.includes(list.name) ? 1 : Math.ceil(cursor.length / SAMPLES);
  const indexes = [...cursor].flatMap((_, index) => (index % step === 0 ? [index] : []));
  const changed = [...indexes, cursor.length - 1].map((index) => changedAt(cursor, index));
  expect(await acceptedAs(list, changed)).toEqual([]);
});

test.for(LISTS)('the cursor of $name is refused with 422 in another spelling', async (list) => {
  expect(await acceptedAs(list, respellingsOf(placeOf(list).cursor))).toEqual([]);
});

// docs/product.md W6
test.for(LISTS)('the cursor of $name shows no time, id, name or transaction', (list) => {
  const { cursor, entries } = placeOf(list);
  expect(entries.flatMap((entry) => readableIn(cursor, entry))).toEqual([]);
});

/** Lists of posts, which have pages of 20 by default and of 50 at most; other lists have 30 and 100. */
const LISTS_OF_POSTS = [
  'get_home_feed',
  'get_hub_feed',
  'get_profile_feed',
  'list_frames',
  'list_saved_posts',
  'search_posts',
];

// docs/product.md W7
test.for(LISTS)(
  '$name takes a limit from 1 to 100, a list of posts to 50, and refuses any other',
  async (list) => {
    const [usual, most] = LISTS_OF_POSTS.includes(list.operation) ? [20, 50] : [30, 100];
    const { method, path } = routeOf(list);
    const limit = document.paths[path][method].parameters.find(({ name }: Json) => name === 'limit');
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: most, default: usual });

    for (const good of ['1', `${most}`]) await expectOk(pageOf(list, { limit: good }));
    for (const bad of ['0', '-1', `${most + 1}`, '1.5', 'ten', '']) {
      const { status, error } = await pageOf(list, { limit: bad });
      expect([bad, status, error?.details.issues[0].path]).toEqual([bad, 422, ['limit']]);
    }
  },
);

test('the cursor of the home feed of a guest is refused with 422 for a person', async () => {
  await sql`
    insert into app.default_feed_users (user_id) values (${world.lena.id})`.execute(opine.database.superuser);
  const { nextCursor: cursor } = await expectOk(world.guest.get('/posts?limit=1'));
  expect((await world.guest.get(addressWith('/posts', { cursor }))).status).toBe(200);
  expect(await acceptedAt(['/posts'], cursor, () => world.jonas)).toEqual([]);
});

// It shows that the tests above notice a cursor that is not sealed.
test('a cursor in plain text shows something of its entry in every list', async () => {
  const changes = PLAIN_CURSORS.map(redefinitions);
  const { superuser } = opine.database;
  for (const { mutate } of changes) await sql.raw(mutate).execute(superuser);
  try {
    const places = await concurrently(LISTS, placeIn);
    const silent = places.filter(
      ({ cursor, entries }) => entries.flatMap((entry) => readableIn(cursor, entry)).length === 0,
    );
    expect(silent).toEqual([]);
  } finally {
    for (const { restore } of changes) await sql.raw(restore).execute(superuser);
  }
});
