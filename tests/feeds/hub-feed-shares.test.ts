import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import type { Client, Json } from '../support/client.ts';
import { ACTS, newestFirst } from '../support/feeds.ts';
import { aRepost, place } from '../support/frames.ts';
import { block, everyPage, granted, idsOf, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aHubReady, type Person } from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let stranger: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, stranger] = [await aHubReady(opine, 'Amara'), await aHubReady(opine, 'Stranger')];
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas');
});

/** The two ways to the feed of a Hub. */
const WAYS = {
  '/hubs/{hubId}/feed': (viewer: Client, { id }: Hub, query: object = {}) =>
    everyPage(viewer, `/hubs/${id}/feed`, query),
  '/posts?hubId=': (viewer: Client, { id }: Hub, query: object = {}) =>
    everyPage(viewer, '/posts', { hubId: id, ...query }),
};

describe.each(Object.entries(WAYS))('the feed of a Hub at %s', (_, pages) => {
  const cards = async (viewer: Client, of: Hub) => (await pages(viewer, of)).flat();
  const feed = async (viewer: Client, of: Hub) => idsOf(await cards(viewer, of));

  test('holds what was shared into it at the time of that, for all of its members', async () => {
    const open = await aThought(stranger);
    const first = await aHubPost(amara, [hub]);
    const own = await aThought(jonas);
    await place(jonas, open, hub);
    const second = await aHubPost(jonas, [hub]);
    await place(jonas, own, hub);
    for (const viewer of [amara, jonas]) {
      expect(await feed(viewer, hub)).toEqual([own.id, second.id, open.id, first.id]);
    }
  });

  test('tells what was shared into it from what was made for it', async () => {
    const next = await aHub(amara);
    const made = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const shareable = await aHubPost(amara, [next, await aHub(amara)]);
    const open = await aThought(amara);
    for (const post of [shareable, open]) await place(amara, post, hub);
    await place(amara, made, next);
    const contexts = async (of: Hub) =>
      (await cards(amara, of)).map(({ id, feedContext }) => [id, feedContext]);
    expect(await contexts(hub)).toEqual([
      [open.id, 'shared_to_hub'],
      [shareable.id, 'shared_to_hub'],
      [made.id, 'joined_hub_post'],
    ]);
    expect(await contexts(next)).toEqual([
      [made.id, 'shared_to_hub'],
      [shareable.id, 'joined_hub_post'],
    ]);
  });

  test('shows such a card as the post is', async () => {
    const post = await aThought(stranger);
    await place(jonas, post, hub);
    const { permissions: _, ...card } = await seenBy(amara, post);
    expect(card.hubs).toMatchObject([{ id: hub.id }]);
    expect(await cards(amara, hub)).toEqual([{ ...card, feedContext: 'shared_to_hub' }]);
  });

  test('a post comes to the top when another member shares it there again', async () => {
    const made = await aHubPost(amara, [hub], { visibility: 'public_hub' });
    const post = await aThought(stranger);
    await place(jonas, post, hub);
    const newest = await aHubPost(jonas, [hub]);
    for (const [person, each] of [
      [amara, made],
      [jonas, post],
    ] as const)
      await place(person, each, hub);
    expect(await feed(amara, hub)).toEqual([newest.id, post.id, made.id]);
    await place(jonas, made, hub);
    expect(await feed(amara, hub)).toEqual([made.id, newest.id, post.id]);
    await place(amara, post, hub);
    expect(await feed(amara, hub)).toEqual([post.id, made.id, newest.id]);
    await place(amara, post, hub);
    await place(jonas, made, hub);
    expect(await feed(amara, hub)).toEqual([post.id, made.id, newest.id]);
    expect((await cards(amara, hub)).map(({ feedContext }) => feedContext)).toEqual([
      'shared_to_hub',
      'joined_hub_post',
      'joined_hub_post',
    ]);
  });

  test.each(Object.entries(ACTS))('is not changed when a member %s', async (_, perform) => {
    const posts = [await aSlider(stranger), await aSlider(stranger)];
    for (const post of posts) await place(jonas, post, hub);
    await perform(amara, posts[0]);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('holds a repost as the frame that it is, made for it or shared into it', async () => {
    const source = await aThought(stranger);
    const hubIds = [hub.id];
    const made = await aRepost(jonas, source, { visibility: 'private_locked_hub', hubIds });
    const open = await aRepost(stranger, source);
    await place(amara, open, hub);
    const shown = await cards(amara, hub);
    expect(shown).toMatchObject([
      { id: open.id, feedContext: 'shared_to_hub', sourcePostId: source.id },
      { id: made.id, feedContext: 'joined_hub_post', sourcePostId: source.id },
    ]);
  });

  test('holds nothing that was shared into other Hubs alone', async () => {
    const next = await aHub(jonas);
    await place(jonas, await aThought(stranger), next);
    expect(await feed(jonas, hub)).toEqual([]);
    expect(await feed(jonas, next)).toHaveLength(1);
  });

  test('keeps what somebody shared who has left, or whose account has ended', async () => {
    const posts = [await aThought(stranger), await aThought(stranger)];
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await place(jonas, posts[0], hub);
    await place(noor, posts[1], hub);
    await granted(requestLeave(jonas, hub));
    await granted(noor.delete('/users/me'));
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
    await untilGone(opine, noor.id);
    expect(await feed(amara, hub)).toEqual(newestFirst(posts));
  });

  test('loses what its author deletes, or whose author ends', async () => {
    const [gone, kept, ended] = [await aThought(stranger), await aThought(amara), await aThought(jonas)];
    for (const post of [gone, kept, ended]) await place(jonas, post, hub);
    await granted(stranger.delete(`/posts/${gone.id}`));
    expect(await feed(amara, hub)).toEqual([ended.id, kept.id]);
    await granted(jonas.delete('/users/me'));
    expect(await feed(amara, hub)).toEqual([kept.id]);
  });

  test('hides what a member may not see of an author outside', async () => {
    const post = await aThought(stranger);
    await place(jonas, post, hub);
    await block(stranger, amara);
    expect([await feed(amara, hub), await feed(jonas, hub)]).toEqual([[], [post.id]]);
    await unblock(stranger, amara);
    expect(await feed(amara, hub)).toEqual([post.id]);
  });

  test('shows what somebody shared to those whom they have blocked', async () => {
    const post = await aThought(stranger);
    await place(jonas, post, hub);
    await block(jonas, amara);
    expect(await feed(amara, hub)).toEqual([post.id]);
  });

  test('opens what is locked elsewhere to its members, until they leave', async () => {
    const his = await aHub(jonas);
    const locked = await aHubPost(jonas, [his, await aHub(jonas)]);
    expect((await amara.get(`/posts/${locked.id}`)).status).toBe(404);
    await place(jonas, locked, hub);
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    for (const viewer of [amara, noor]) expect(await feed(viewer, hub)).toEqual([locked.id]);
    await granted(requestLeave(noor, hub));
    expect((await noor.get(`/posts/${locked.id}`)).status).toBe(404);
    await join(amara, hub, [noor]);
    expect(await feed(noor, hub)).toEqual([locked.id]);
  });

  test('comes from page to page, what was shared and what was made, each once', async () => {
    const placed: Json[] = [];
    for (let index = 0; index < 9; index += 1) {
      if (index % 2 === 0) placed.push(await aHubPost(jonas, [hub]));
      else {
        const post = await aThought(stranger);
        await place(jonas, post, hub);
        placed.push(post);
      }
    }
    for (const limit of [1, 2, 3, 4, 5, 8, 9, 50]) {
      const walked = await pages(amara, hub, { limit });
      expect(walked.flatMap(idsOf)).toEqual(newestFirst(placed));
      expect(walked).toHaveLength(Math.ceil(9 / limit));
    }
  });
});
