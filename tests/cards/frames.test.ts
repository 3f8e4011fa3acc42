import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, expectOk, idsOf, type Json, withQuery } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, confirmedPerson, type Person } from '../support/people.ts';
import { aRepost, aSlider, framesOf } from '../support/posts.ts';

let opine: Opine;
let maya: Person;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
});

afterAll(() => opine.stop());

const requestFrames = (viewer: Client, { id }: Json, query: object = {}) =>
  viewer.get(withQuery(`/posts/${id}/frames`, query));

/** Creates an original of Maya and `count` reposts, of Jonas and Maya in turn. Returns them oldest first. */
async function aLineage(count: number): Promise<Json[]> {
  const original = await aSlider(maya);
  const frames = [original];
  for (let index = 0; index < count; index += 1) {
    frames.push(await aRepost(index % 2 === 0 ? jonas : maya, original));
  }
  return frames;
}

describe('GET /posts/{postId}/frames', () => {
  // docs/product.md PO8
  test('every viewer gets the original and its reposts, oldest first, by the id of any of them', async () => {
    const lineage = await aLineage(3);
    const [otherOriginal] = await aLineage(1);
    expect(otherOriginal).toBeDefined();
    const everybody = [maya, jonas, aGuest(opine), await anonymousPerson(opine)];
    for (const viewer of [...everybody, clientOf(opine.url, 'no.good.token')]) {
      for (const seed of lineage) expect(await framesOf(viewer, seed)).toEqual(idsOf(lineage));
    }
  });
});

describe('pages of frames', () => {
  test('frames created and deleted between pages cause no repeats and no gaps', async () => {
    const lineage = await aLineage(4);
    const [original, first, second, third, fourth] = lineage;
    const top = await expectOk(requestFrames(jonas, original, { limit: 2 }));
    expect(idsOf(top.items)).toEqual(idsOf([original, first]));
    await expectOk(jonas.delete(`/posts/${first.id}`));
    await expectOk(jonas.delete(`/posts/${third.id}`));
    const newest = await aRepost(jonas, original);
    const next = await expectOk(requestFrames(jonas, original, { limit: 2, cursor: top.nextCursor }));
    expect(idsOf(next.items)).toEqual(idsOf([second, fourth]));
    const last = await expectOk(requestFrames(jonas, original, { limit: 2, cursor: next.nextCursor }));
    expect([idsOf(last.items), last.nextCursor]).toEqual([[newest.id], null]);
  });
});
