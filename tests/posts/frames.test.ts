import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { type Client, clientOf, type Json, refusal } from '../support/client.ts';
import { aCircle, nonMembersOf } from '../support/discussions.ts';
import { aRepost, framesOf } from '../support/frames.ts';
import { block, everyPage, granted, idsOf, NO_IDS, NOBODY, unblock, withQuery } from '../support/graph.ts';
import { invalid } from '../support/hub-worlds.ts';
import { aHub, aHubPost, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, anAnonymous, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let maya: Person;
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  [maya, jonas] = [await aConfirmed(opine, 'Maya'), await aConfirmed(opine, 'Jonas')];
});

afterAll(() => opine.stop());

const HIDDEN = refusal(404, 'POST_NOT_FOUND');

const ask = (viewer: Client, { id }: Json, query: object = {}) =>
  viewer.get(withQuery(`/posts/${id}/frames`, query));
const pages = (viewer: Client, { id }: Json, query: object) =>
  everyPage(viewer, `/posts/${id}/frames`, query);

/** An original of Maya's and `count` reposts, of Jonas's and hers in turn: the oldest first. */
async function aLineage(count: number): Promise<Json[]> {
  const original = await aSlider(maya);
  const frames = [original];
  for (let index = 0; index < count; index += 1) {
    frames.push(await aRepost(index % 2 === 0 ? jonas : maya, original));
  }
  return frames;
}

describe('the frames of a lineage', () => {
  test('are its original and the reposts of it, the oldest first, from whichever one asks', async () => {
    const lineage = await aLineage(3);
    const [beside] = await aLineage(1);
    expect(beside).toBeDefined();
    const everybody = [maya, jonas, aGuest(opine), await anAnonymous(opine)];
    for (const viewer of [...everybody, clientOf(opine.url, 'no.good.token')]) {
      for (const seed of lineage) expect(await framesOf(viewer, seed)).toEqual(idsOf(lineage));
    }
  });

  test('are one where nobody has reposted', async () => {
    const post = await aThought(maya);
    expect(await framesOf(aGuest(opine), post)).toEqual([post.id]);
  });

  test('are cards as the posts are', async () => {
    const [original, repost] = await aLineage(1);
    const reader = await aRegistered(opine);
    const { items } = await granted(ask(reader, repost));
    for (const [index, post] of [original, repost].entries()) {
      const { permissions: _, ...card } = await seenBy(reader, post);
      expect(items[index]).toEqual(card);
    }
    expect(items[1].sourcePost.sliderText).toBe(original.sliderText);
  });

  test('are without those that are deleted', async () => {
    const [original, first, second, third] = await aLineage(3);
    await granted(maya.delete(`/posts/${second.id}`));
    expect(await framesOf(jonas, first)).toEqual(idsOf([original, first, third]));
    expect(await ask(jonas, second)).toMatchObject(HIDDEN);
  });

  test('are the reposts alone, and still one lineage, when the original is deleted', async () => {
    const [original, ...reposts] = await aLineage(2);
    await granted(maya.delete(`/posts/${original.id}`));
    for (const seed of reposts) expect(await framesOf(aGuest(opine), seed)).toEqual(idsOf(reposts));
    expect(await ask(maya, original)).toMatchObject(HIDDEN);
  });

  test('are the reposts of others when an account ends', async () => {
    const leaver = await aConfirmed(opine);
    const original = await aSlider(leaver);
    const [his, theirs] = [await aRepost(jonas, original), await aRepost(leaver, original)];
    const hers = await aRepost(maya, original);
    await granted(leaver.delete('/users/me'));
    expect(await framesOf(aGuest(opine), his)).toEqual(idsOf([his, hers]));
    expect(await ask(jonas, theirs)).toMatchObject(HIDDEN);
    await untilGone(opine, leaver.id);
    expect(await framesOf(aGuest(opine), hers)).toEqual(idsOf([his, hers]));
  });
});

describe('frames that somebody does not see', () => {
  test.each(['the blocker', 'the blocked'])('are left out for %s, and are no seed', async (who) => {
    const viewer = await aConfirmed(opine);
    const original = await aSlider(maya);
    const [own, his] = [await aRepost(viewer, original), await aRepost(jonas, original)];
    const [blocker, blocked] = who === 'the blocker' ? [viewer, jonas] : [jonas, viewer];
    await block(blocker, blocked);
    expect(await framesOf(viewer, original)).toEqual(idsOf([original, own]));
    expect(await framesOf(jonas, original)).toEqual(idsOf([original, his]));
    expect(await ask(viewer, his)).toMatchObject(HIDDEN);
    expect(await framesOf(maya, original)).toEqual(idsOf([original, own, his]));
    await unblock(blocker, blocked);
    expect(await framesOf(viewer, his)).toEqual(idsOf([original, own, his]));
  });

  test('may be the original itself: the reposts of others stay', async () => {
    const [original, his] = await aLineage(2);
    const viewer = await aRegistered(opine);
    await block(maya, viewer);
    expect(await ask(viewer, original)).toMatchObject(HIDDEN);
    expect(await framesOf(viewer, his)).toEqual([his.id]);
  });

  test('are those of Hubs that one is not in', async () => {
    const { hub, amara, jonas: member } = await aCircle(opine);
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
      for (const seed of [source, locked]) expect(await ask(nonMember, seed)).toMatchObject(HIDDEN);
    }
    await granted(requestLeave(member, hub));
    expect(await framesOf(member, locked)).toEqual(idsOf([open, locked]));
  });

  test('are no posts at all', async () => {
    for (const id of [NOBODY.id, ...NO_IDS]) expect(await ask(maya, { id })).toMatchObject(HIDDEN);
  });
});

describe('the frames of a lineage come by pages', () => {
  test.each([1, 2, 3, 4, 5, 6, 50])('of %i, each frame once', async (limit) => {
    const lineage = await aLineage(4);
    const walked = await pages(aGuest(opine), lineage[2], { limit });
    expect(walked.flatMap(idsOf)).toEqual(idsOf(lineage));
    expect(walked).toHaveLength(Math.ceil(5 / limit));
  });

  test('each once, also those of one instant, by their ids', async () => {
    const lineage = await aLineage(4);
    const ids = idsOf(lineage);
    await sql`
      update app.posts set created_at = '2026-01-01T00:00:00.123456Z' where id = any (${ids}::uuid[])
    `.execute(opine.database.superuser);
    for (const limit of [1, 2, 3]) {
      const walked = await pages(jonas, { id: ids[0] }, { limit });
      expect(walked.flatMap(idsOf)).toEqual([...ids].sort());
    }
  });

  test('where they come and go meanwhile: none twice, none left out', async () => {
    const lineage = await aLineage(4);
    const [original, first, second, third, fourth] = lineage;
    const top = await granted(ask(jonas, original, { limit: 2 }));
    expect(idsOf(top.items)).toEqual(idsOf([original, first]));
    await granted(jonas.delete(`/posts/${first.id}`));
    await granted(jonas.delete(`/posts/${third.id}`));
    const newest = await aRepost(jonas, original);
    const next = await granted(ask(jonas, original, { limit: 2, cursor: top.nextCursor }));
    expect(idsOf(next.items)).toEqual(idsOf([second, fourth]));
    const last = await granted(ask(jonas, original, { limit: 2, cursor: next.nextCursor }));
    expect([idsOf(last.items), last.nextCursor]).toEqual([[newest.id], null]);
  });

  test('that are full, whatever is hidden between', async () => {
    const viewer = await aRegistered(opine);
    const lineage = await aLineage(8);
    await block(jonas, viewer);
    const hers = lineage.filter(({ author }) => author.id === maya.id);
    const walked = await pages(viewer, hers[0], { limit: 2 });
    expect(walked.flatMap(idsOf)).toEqual(idsOf(hers));
    expect(walked.map(({ length }) => length)).toEqual([2, 2, 1]);
  });

  test('of twenty unless asked, and of fifty at most', async () => {
    const original = await aSlider(maya);
    await Promise.all(Array.from({ length: 50 }, () => aRepost(jonas, original)));
    const sizes = async (query: object) =>
      (await pages(aGuest(opine), original, query)).map(({ length }) => length);
    expect(await sizes({})).toEqual([20, 20, 11]);
    expect(await sizes({ limit: 50 })).toEqual([50, 1]);
  });

  test.each([
    ['limit', ['0', '51', '-1', '1.5', '1e1', 'ten', '', ' 5']],
    ['cursor', ['', 'abc', 'null', 'e30', 'W10=', '\u0000', 'x'.repeat(2000)]],
  ])('by no odd %s', async (field, values) => {
    const [original] = await aLineage(1);
    for (const value of values) {
      expect(await ask(jonas, original, { [field]: value })).toMatchObject(invalid(field));
    }
  });
});
