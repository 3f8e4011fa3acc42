import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  clientOf,
  expectOk,
  idsOf,
  type Json,
  MALFORMED_IDS,
  NONEXISTENT,
  refusal,
  withQuery,
} from '../support/client.ts';
import { aHubOfTwo, nonMembersOf } from '../support/discussions.ts';
import { block } from '../support/graph.ts';
import { aHub, aHubPost, invalid, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aRepost, aSlider, framesOf } from '../support/posts.ts';

let opine: Opine;
let maya: Person;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');

const requestFrames = (viewer: Client, { id }: Json, query: object = {}) =>
  viewer.get(withQuery(`/posts/${id}/frames`, query));
const framePages = (viewer: Client, { id }: Json, query: object) =>
  allPages(viewer, `/posts/${id}/frames`, query);

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

describe('frames hidden from the viewer', () => {
  test('a non-member gets only the public repost of a private post', async () => {
    const { hub, amara, jonas: member } = await aHubOfTwo(opine);
    const source = await aHubPost(amara, [hub, await aHub(amara)]);
    const open = await aRepost(member, source);
    const locked = await aRepost(member, source, { visibility: 'private_locked_hub', hubIds: [hub.id] });
    for (const insider of [amara, member]) {
      for (const seed of [source, open, locked]) {
        expect(await framesOf(insider, seed)).toEqual(idsOf([source, open, locked]));
      }
    }
    const nonMembers = await nonMembersOf(opine, amara, hub);
    for (const nonMember of [...nonMembers.values(), aGuest(opine), maya]) {
      expect(await framesOf(nonMember, open)).toEqual([open.id]);
      for (const seed of [source, locked]) expect(await requestFrames(nonMember, seed)).toMatchObject(HIDDEN);
    }
    await expectOk(requestLeave(member, hub));
    expect(await framesOf(member, locked)).toEqual(idsOf([open, locked]));
  });

  test('an unknown or malformed post id answers 404', async () => {
    for (const id of [NONEXISTENT.id, ...MALFORMED_IDS])
      expect(await requestFrames(maya, { id })).toMatchObject(HIDDEN);
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

  test('hidden frames do not shorten a page', async () => {
    const viewer = await registeredPerson(opine);
    const lineage = await aLineage(8);
    await block(jonas, viewer);
    const byMaya = lineage.filter(({ author }) => author.id === maya.id);
    const pages = await framePages(viewer, byMaya[0], { limit: 2 });
    expect(pages.flatMap(idsOf)).toEqual(idsOf(byMaya));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  test('a page has 20 frames by default and 50 at most', async () => {
    const original = await aSlider(maya);
    await Promise.all(Array.from({ length: 50 }, () => aRepost(jonas, original)));
    const sizes = async (query: object) =>
      (await framePages(aGuest(opine), original, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
  ])('an invalid %s answers 422', async (field, values) => {
    const [original] = await aLineage(1);
    for (const value of values) {
      expect(await requestFrames(jonas, original, { [field]: value })).toMatchObject(invalid(field));
    }
  });
});
