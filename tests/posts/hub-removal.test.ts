import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { messagesOf, postsIn, requestSaveDiscussion, savedDiscussions } from '../support/discussions.ts';
import { homeFeed } from '../support/feeds.ts';
import { block, listedIds } from '../support/graph.ts';
import {
  aHub,
  aHubPost,
  aMemberOf,
  aMessage,
  discussionOf,
  join,
  requestMessage,
  requestMessageDeletion,
  requestPostRemoval,
  requestRemove,
} from '../support/hubs.ts';
import { inboxOf } from '../support/inbox.ts';
import type { Person } from '../support/people.ts';
import { aPng } from '../support/pictures.ts';
import { aSlider, requestSavePost, requestShareToHubs, savedPosts, shareToHubs } from '../support/posts.ts';
import {
  fourPeople,
  OK,
  outcomeOf,
  outcomesOf,
  type Requests,
  ROUNDS,
  raceInHub,
  sortedOutcomes,
} from '../support/races.ts';
import { runStaffAction } from '../support/staff.ts';
import { type OpineWithStorage, startOpineWithStorage } from '../support/storage.ts';
import { anUpload, requestDownload } from '../support/uploads.ts';
import { castVote, countsOf, hubVotesOf, myVote } from '../support/votes.ts';

let opine: OpineWithStorage;
/** Amara and Sam are admins of the Hub, Jonas and Bo members. */
let amara: Person;
let jonas: Person;
let bo: Person;
let sam: Person;
let hub: Json;

beforeAll(async () => {
  opine = await startOpineWithStorage();
  ({ amara, jonas, bo, sam } = await fourPeople(opine));
});

afterAll(() => opine.stop());

beforeEach(async () => {
  hub = await aHub(amara);
  await join(amara, hub, [jonas, bo]);
  await join(amara, hub, [sam], 'admin');
});

const HIDDEN = refusal(404, 'POST_NOT_FOUND');
const remove = (admin: Person, post: Json) => expectOk(requestPostRemoval(admin, hub, post));
const feedOf = (viewer: Person) => listedIds(viewer, `/hubs/${hub.id}/feed`);
const found = async (viewer: Person, q: string) =>
  (await expectOk(viewer.get(`/search/posts?q=${q}`))).items.map(({ id }: Json) => id);

describe('DELETE /hubs/{hubId}/posts/{postId}', () => {
  test('a private post is gone for the members whose only access was the Hub', async () => {
    const { assetId } = await anUpload(jonas, await aPng(), 'post_image');
    const article = { title: 'Larkspurs', assetIds: [assetId] };
    const post = await aHubPost(jonas, [hub], { article });
    const kept = await aHubPost(jonas, [hub]);
    await expectOk(requestSavePost(bo, post));
    await expectOk(requestSaveDiscussion(bo, await discussionOf(bo, hub, post)));
    const ofPost = async () => {
      const { items } = await inboxOf(bo);
      return items.filter(({ postId }: Json) => postId === post.id);
    };
    expect(await ofPost()).toHaveLength(1);
    expect(await requestDownload(bo, assetId)).toMatchObject({ status: 200 });
    const { unreadCount } = await inboxOf(bo);

    const { status, data } = await requestPostRemoval(amara, hub, post);
    expect([status, data]).toEqual([200, {}]);
    for (const viewer of [amara, bo, sam]) {
      expect(await viewer.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
      expect(await feedOf(viewer)).toEqual([kept.id]);
      expect(await postsIn(viewer, hub)).toEqual([kept.id]);
      expect(await homeFeed(viewer)).not.toContain(post.id);
      expect(await found(viewer, 'larkspurs')).toEqual([]);
      expect(await requestDownload(viewer, assetId)).toMatchObject(refusal(404, 'ASSET_NOT_FOUND'));
    }
    expect(await savedPosts(bo)).toEqual([]);
    expect(await savedDiscussions(bo)).toEqual([]);
    expect(await ofPost()).toEqual([]);
    expect((await inboxOf(bo)).unreadCount).toBe(unreadCount - 1);
    expect(await jonas.get(`/posts/${post.id}`)).toMatchObject({ status: 200, data: { hubs: [] } });
    expect(await found(jonas, 'larkspurs')).toEqual([post.id]);
    expect(await requestDownload(jonas, assetId)).toMatchObject({ status: 200 });
  });

  // docs/product.md H28, V11
  test('the votes in the Hub are unseen until the post is shared again, and nobody votes twice', async () => {
    const post = await aSlider(jonas);
    await shareToHubs(jonas, post, hub);
    await expectOk(castVote(amara, post, 'left'));
    await expectOk(castVote(bo, post, 'strong_right'));
    const counts = [0, 1, 0, 0, 1];
    expect(await countsOf(bo, post, hub)).toEqual(counts);
    await remove(sam, post);
    for (const viewer of [amara, jonas, bo]) {
      expect(await countsOf(viewer, post, hub)).toEqual([]);
      expect((await hubVotesOf(viewer, post)).data.items).toEqual([]);
      expect(await countsOf(viewer, post)).toEqual(counts);
    }
    expect((await myVote(bo, post)).data.hasVoted).toBe(true);
    // A vote meanwhile waits for the Hub, as before a first share.
    await expectOk(castVote(sam, post, 'neutral'));
    expect(await countsOf(bo, post, hub)).toEqual([]);
    await shareToHubs(bo, post, hub);
    expect(await countsOf(bo, post, hub)).toEqual([0, 1, 1, 0, 1]);
    for (const voter of [amara, bo, sam])
      expect(await castVote(voter, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    expect(await countsOf(bo, post)).toEqual([0, 1, 1, 0, 1]);
  });
});

describe('the powers of an admin', () => {
  test.each([
    ['a block by the admin', (author: Person) => block(amara, author)],
    ['a block by the author', (author: Person) => block(author, amara)],
    ['the suspension of the author', (author: Person) => runStaffAction(opine, 'suspend_user', author)],
  ] as const)('an admin takes a post out despite %s', async (_, hide) => {
    const author = await aMemberOf(opine, amara, hub);
    const post = await aHubPost(author, [hub]);
    await hide(author);
    expect(await amara.get(`/posts/${post.id}`)).toMatchObject(HIDDEN);
    expect(await requestPostRemoval(bo, hub, post)).toMatchObject(refusal(403, 'FORBIDDEN'));
    expect(await requestPostRemoval(amara, hub, post)).toMatchObject({ status: 200, data: {} });
    expect(await requestPostRemoval(amara, hub, post)).toMatchObject(HIDDEN);
    expect(await feedOf(bo)).toEqual([]);
  });

  test('an admin deletes a message of a suspended member, which others do not find', async () => {
    const noor = await aMemberOf(opine, amara, hub);
    const discussion = await discussionOf(amara, hub, await aHubPost(amara, [hub]));
    const message = await aMessage(noor, discussion);
    await runStaffAction(opine, 'suspend_user', noor);
    const none = refusal(404, 'MESSAGE_NOT_FOUND');
    expect(await requestMessageDeletion(bo, discussion, message)).toMatchObject(none);
    expect(await requestMessageDeletion(amara, discussion, message)).toMatchObject({ status: 200 });
    expect(await requestMessageDeletion(amara, discussion, message)).toMatchObject(none);
  });
});

describe('POST /hubs/{hubId}/members/{userId}/remove with removePosts', () => {
  let own: Json;
  let shared: Json;
  let kept: Json;
  let elsewhere: Json;

  beforeEach(async () => {
    const other = await aHub(jonas);
    own = await aHubPost(jonas, [hub, other]);
    [shared, kept] = [await aSlider(bo), await aSlider(jonas)];
    await shareToHubs(jonas, shared, hub);
    // Bo placed this one, although Jonas wrote it.
    await shareToHubs(bo, kept, hub);
    elsewhere = other;
  });

  // docs/product.md H31
  test('all that the member placed in the Hub is taken out of it, and nothing else', async () => {
    const discussion = await discussionOf(bo, hub, shared);
    await aMessage(bo, discussion);
    expect(await requestRemove(amara, hub, jonas, { removePosts: true })).toMatchObject({
      status: 200,
      data: {},
    });
    for (const viewer of [amara, bo]) {
      expect(await feedOf(viewer)).toEqual([kept.id]);
      expect(await postsIn(viewer, hub)).toEqual([kept.id]);
    }
    expect(await bo.get(`/posts/${own.id}`)).toMatchObject(HIDDEN);
    expect((await expectOk(bo.get(`/posts/${shared.id}`))).hubs).toEqual([]);
    expect((await inboxOf(bo)).items.map(({ postId }: Json) => postId)).not.toContain(own.id);
    expect(await listedIds(jonas, `/hubs/${elsewhere.id}/feed`)).toEqual([own.id]);
  });

  test.each([[undefined], [{ removePosts: false }]])('with the body %j everything stays', async (fields) => {
    await expectOk(requestRemove(amara, hub, jonas, fields));
    expect((await feedOf(bo)).toSorted()).toEqual([own.id, shared.id, kept.id].toSorted());
  });

  test('another type is 422, and only admins remove', async () => {
    const invalid = refusal(422, 'VALIDATION_FAILED');
    expect(await requestRemove(amara, hub, jonas, { removePosts: 'yes' })).toMatchObject(invalid);
    expect(await requestRemove(bo, hub, jonas, { removePosts: true })).toMatchObject(
      refusal(403, 'FORBIDDEN'),
    );
    expect(await feedOf(bo)).toHaveLength(3);
  });

  test.each(ROUNDS)('a share by the member comes before the removal or is 403, round %i', async (round) => {
    const late = await aSlider(bo);
    const [removed, placed] = await raceInHub(
      opine,
      round,
      hub,
      [amara, jonas],
      () => requestRemove(amara, hub, jonas, { removePosts: true }),
      () => requestShareToHubs(jonas, late, [hub]),
    );
    expect(outcomeOf(removed)).toBe(OK);
    expect([201, 'FORBIDDEN']).toContain(outcomeOf(placed));
    expect(await feedOf(bo)).toEqual([kept.id]);
  });
});

describe.each(ROUNDS)('a removal concurrent with other requests, round %i', (round) => {
  const race = <A extends Requests>(...requests: A) =>
    raceInHub(opine, round, hub, [amara, jonas, bo, sam], ...requests);
  let post: Json;

  beforeEach(async () => {
    post = await aSlider(jonas);
    await shareToHubs(jonas, post, hub);
  });

  test('one of two removals by two admins succeeds', async () => {
    const replies = await race(
      () => requestPostRemoval(amara, hub, post),
      () => requestPostRemoval(sam, hub, post),
    );
    expect(sortedOutcomes(replies)).toEqual([String(OK), 'POST_NOT_FOUND']);
    expect(await feedOf(bo)).toEqual([]);
  });

  test('a share comes before the removal and moves the post, or after it and places it anew', async () => {
    const [removed, shared] = await race(
      () => requestPostRemoval(amara, hub, post),
      () => requestShareToHubs(bo, post, [hub]),
    );
    expect(outcomesOf([removed, shared])).toEqual([OK, 201]);
    const { created } = shared.data.hubs[0];
    expect(await feedOf(bo)).toEqual(created ? [post.id] : []);
    expect(await postsIn(bo, hub)).toEqual(created ? [post.id] : []);
  });

  test('a vote is cast once, and counts in the Hub after another share', async () => {
    const [removed, voted] = await race(
      () => requestPostRemoval(amara, hub, post),
      () => castVote(bo, post, 'left'),
    );
    expect([outcomeOf(removed), voted.status]).toEqual([OK, voted.status < 300 ? voted.status : -1]);
    expect(await countsOf(bo, post, hub)).toEqual([]);
    await shareToHubs(jonas, post, hub);
    expect(await countsOf(bo, post, hub)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(bo, post)).toEqual([0, 1, 0, 0, 0]);
  });

  test('a message goes with its discussion or is 404', async () => {
    const discussion = await discussionOf(bo, hub, post);
    await aMessage(bo, discussion);
    const [removed, sent] = await race(
      () => requestPostRemoval(amara, hub, post),
      () => requestMessage(bo, discussion, { text: 'Late.' }),
    );
    expect(outcomeOf(removed)).toBe(OK);
    expect([201, 'DISCUSSION_NOT_FOUND']).toContain(outcomeOf(sent));
    await shareToHubs(jonas, post, hub);
    expect(await messagesOf(bo, await discussionOf(bo, hub, post))).toEqual([]);
  });

  test('reading or saving the discussion comes before the removal or is 404', async () => {
    const discussion = await discussionOf(bo, hub, post);
    const [removed, ...others] = await race(
      () => requestPostRemoval(amara, hub, post),
      () => bo.post(`/hubs/${hub.id}/discussions/${discussion.id}/read`),
      () => requestSaveDiscussion(jonas, discussion),
    );
    expect(outcomeOf(removed)).toBe(OK);
    for (const reply of others) expect([OK, 'DISCUSSION_NOT_FOUND']).toContain(outcomeOf(reply));
  });
});
