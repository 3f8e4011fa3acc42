import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, refusal } from '../support/client.ts';
import { block, everybodyIn, everyPage, granted, mergeInto, unblock } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const BLOCKS = '/users/me/blocks';
const blockedBy = (person: Client, query: object = {}) => everybodyIn(person, BLOCKS, query);

/** So many people whom `person` blocks, the first one first. */
async function blocked(person: Client, count: number): Promise<Person[]> {
  const people: Person[] = [];
  while (people.length < count) {
    const other = await aRegistered(opine, 'Jonas Weber');
    await block(person, other);
    people.push(other);
  }
  return people;
}

const newestFirst = (people: readonly Person[]) => people.map(({ id }) => id).reverse();

describe('whom one blocks', () => {
  test('is shown as everybody else is, with since when', async () => {
    const maya = await anAnonymous(opine);
    const before = Date.now();
    const [jonas] = await blocked(maya, 1);
    const { items, nextCursor } = await granted(maya.get(BLOCKS));
    expect(items).toEqual([
      {
        id: jonas?.id,
        username: jonas?.username,
        name: 'Jonas Weber',
        profilePhotoUrl: null,
        isAnonymous: false,
        blockedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(Date.parse(items[0].blockedAt)).toBeGreaterThanOrEqual(before);
    expect(nextCursor).toBeNull();
  });

  test('comes newest first, page by page', async () => {
    const maya = await anAnonymous(opine);
    const people = await blocked(maya, 5);
    for (const limit of [1, 2, 5, 100]) {
      const pages = await everyPage(maya, BLOCKS, { limit });
      expect(pages.flat().map(({ id }) => id)).toEqual(newestFirst(people));
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    }
    for (const limit of [0, 101, 'x']) {
      expect(await maya.get(`${BLOCKS}?limit=${limit}`)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    }
    expect(await maya.get(`${BLOCKS}?cursor=foreign`)).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
  });

  test('is thirty a page unless asked', async () => {
    const maya = await anAnonymous(opine);
    const people = await blocked(maya, 31);
    const pages = await everyPage(maya, BLOCKS);
    expect(pages.map(({ length }) => length)).toEqual([30, 1]);
    expect(pages.flat().map(({ id }) => id)).toEqual(newestFirst(people));
  });

  test('is gone with the block, and with the account', async () => {
    const maya = await anAnonymous(opine);
    const [ben, ann, tom] = await Promise.all([aRegistered(opine), aRegistered(opine), aRegistered(opine)]);
    for (const person of [ben, ann, tom]) await block(maya, person);
    await unblock(maya, ben);
    await granted(ann.delete('/users/me'));
    expect(await blockedBy(maya)).toEqual([tom.id]);
    await untilGone(opine, ann.id);
    expect(await blockedBy(maya)).toEqual([tom.id]);
  });
});

test('nobody sees by whom they are blocked, and no guest anything', async () => {
  const [maya, jonas] = [await aRegistered(opine), await aRegistered(opine)];
  await block(maya, jonas);
  expect(await blockedBy(jonas)).toEqual([]);
  expect(await blockedBy(maya)).toEqual([jonas.id]);
  expect(await aGuest(opine).get(BLOCKS)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
});

test('where two block each other, which a merge brings about, neither is shown until the other lets go', async () => {
  const [maya, jonas] = [await aConfirmed(opine), await aRegistered(opine)];
  const install = await anAnonymous(opine);
  await block(jonas, maya);
  await block(install, jonas);
  const merged = await mergeInto(opine, install, maya);
  for (const person of [merged, jonas]) expect(await blockedBy(person)).toEqual([]);
  await unblock(merged, jonas);
  expect(await blockedBy(jonas)).toEqual([maya.id]);
});
