import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  allPages,
  type Client,
  clientOf,
  expectOk,
  idsOf,
  type Json,
  newestFirst,
  refusal,
} from '../support/client.ts';
import { profileFeedOf } from '../support/feeds.ts';
import { block, unblock } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, type Hub, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, anonymousPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aRepost, aSlider, aThought, seenBy, shareToFeed, shareToHubs } from '../support/posts.ts';
import { waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let amara: Person;
let jonas: Person;
let unrelated: Person;
let hub: Hub;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, unrelated] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Unrelated')];
  hub = await aHub(amara);
  jonas = await aMemberOf(opine, amara, hub, 'Jonas');
});

const requestProfileFeed = (viewer: Client, { id }: Json) => viewer.get(`/users/${id}/feed`);

// docs/product.md F12
test('every viewer gets cards of the public posts, reposts and feed shares, each at its latest share', async () => {
  const open = await aThought(amara);
  const beside = await aHubPost(amara, [hub], { visibility: 'public_hub' });
  await aHubPost(amara, [hub]);
  await aHubPost(amara, [hub, await aHub(amara)]);
  const foreign = await aSlider(unrelated);
  await shareToFeed(amara, foreign);
  const repost = await aRepost(amara, foreign);
  await shareToFeed(amara, open);
  const viewers = [aGuest(opine), clientOf(opine.url, 'no.good.token'), await anonymousPerson(opine)];
  for (const viewer of [...viewers, jonas, unrelated, amara]) {
    const { items } = await expectOk(requestProfileFeed(viewer, amara));
    expect(idsOf(items)).toEqual([open.id, repost.id, foreign.id, beside.id]);
    for (const shown of items) {
      const { permissions: _, ...card } = await seenBy(viewer, shown);
      expect(shown).toEqual(card);
      expect(shown).not.toHaveProperty('feedContext');
    }
  }
  await shareToFeed(amara, foreign);
  expect(await profileFeedOf(unrelated, amara)).toEqual([foreign.id, open.id, repost.id, beside.id]);
});

// docs/product.md F13
test('only members of a Hub of a private post see it in the feed of its sharer', async () => {
  const next = await aHub(amara);
  const locked = await aHubPost(amara, [hub]);
  const shareable = await aHubPost(amara, [hub, await aHub(amara)]);
  for (const post of [locked, shareable]) await shareToFeed(amara, post);
  const seesNext = await aMemberOf(opine, amara, next, 'Noor');
  expect(await profileFeedOf(seesNext, amara)).toEqual([]);
  await shareToHubs(amara, shareable, next);
  for (const viewer of [amara, jonas])
    expect(await profileFeedOf(viewer, amara)).toEqual([shareable.id, locked.id]);
  expect(await profileFeedOf(seesNext, amara)).toEqual([shareable.id]);
  for (const viewer of [aGuest(opine), unrelated]) expect(await profileFeedOf(viewer, amara)).toEqual([]);
  await expectOk(requestLeave(jonas, hub));
  expect(await profileFeedOf(jonas, amara)).toEqual([]);
});

test('a blocked pair misses each other in profile feeds, and the blocked person gets 404', async () => {
  const [byAmara, byJonas] = [await aThought(amara), await aThought(jonas)];
  for (const post of [byAmara, byJonas]) await shareToFeed(unrelated, post);
  await shareToFeed(jonas, byAmara);
  await block(amara, jonas);
  expect(await profileFeedOf(amara, unrelated)).toEqual([byAmara.id]);
  expect(await profileFeedOf(jonas, unrelated)).toEqual([byJonas.id]);
  expect(await profileFeedOf(aGuest(opine), unrelated)).toEqual([byJonas.id, byAmara.id]);
  expect(await requestProfileFeed(jonas, amara)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
  expect(await profileFeedOf(amara, jonas)).toEqual([byAmara.id]);
  await unblock(amara, jonas);
  expect((await requestProfileFeed(jonas, amara)).status).toBe(200);
});

test('a deleted account answers 404, and deleted posts leave the feeds of their sharers', async () => {
  const [post, other] = [await aThought(jonas), await aThought(unrelated)];
  for (const each of [post, other]) await shareToFeed(amara, each);
  await expectOk(unrelated.delete(`/posts/${other.id}`));
  expect(await profileFeedOf(jonas, amara)).toEqual([post.id]);
  await expectOk(jonas.delete('/users/me'));
  expect(await requestProfileFeed(unrelated, jonas)).toMatchObject(refusal(404, 'USER_NOT_FOUND'));
  expect(await profileFeedOf(unrelated, amara)).toEqual([]);
  await waitUntilDeleted(opine, jonas.id);
  expect(await profileFeedOf(unrelated, amara)).toEqual([]);
});

// docs/product.md F1
test('pages of every size are full and return each frame once among hidden posts', async () => {
  const posts: Json[] = [];
  for (let index = 0; index < 13; index += 1) {
    const post = index % 2 === 0 ? await aThought(amara) : await aThought(unrelated);
    if (index % 3 !== 0 || index % 2 === 1) await shareToFeed(amara, post);
    await shareToFeed(amara, await aHubPost(amara, [hub]));
    posts.push(post);
  }
  for (let limit = 1; limit <= 14; limit += 1) {
    const pages = await allPages(unrelated, `/users/${amara.id}/feed`, { limit });
    expect(pages.flatMap(idsOf)).toEqual(newestFirst(posts));
    expect(pages).toHaveLength(Math.ceil(posts.length / limit));
  }
  expect(await profileFeedOf(jonas, amara)).toHaveLength(2 * posts.length);
});
