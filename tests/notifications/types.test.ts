import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudience, audienceVotes } from '../support/audience.ts';
import { expectOk, type Json } from '../support/client.ts';
import { block, follow, requestFollow, requestMute, unblock, unfollow } from '../support/graph.ts';
import { aHubPost } from '../support/hubs.ts';
import {
  addFollowers,
  hubField,
  NO_ACTOR,
  notification,
  notificationsDuring,
  notifiedCount,
  type People,
  runFanOut,
  twoHubs,
  typesIn,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  aComment,
  aReply,
  aRepost,
  aSlider,
  aThought,
  requestSavePost,
  requestUnsavePost,
  shareToFeed,
} from '../support/posts.ts';
import { requestReport } from '../support/reports.ts';
import { castVote } from '../support/votes.ts';
import { foldAllVotes, waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let maya: Person;
let jonas: Person;
let lena: Person;
let people: People;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [maya, jonas, lena] = [
    await confirmedPerson(opine, 'Maya'),
    await confirmedPerson(opine, 'Jonas'),
    await registeredPerson(opine, 'Lena'),
  ];
  people = { maya, jonas, lena };
});

const during = <Made>(activity: () => Promise<Made>, who: People = people) =>
  notificationsDuring(opine, who, activity);

describe('a follow', () => {
  // docs/product.md N3, N26
  test('a follow notifies the followed person, and not again after an unfollow on the same day', async () => {
    const byLena = { maya: [notification('user_followed', lena)] };
    expect((await during(() => follow(lena, maya))).notified).toEqual(byLena);
    expect((await during(() => requestFollow(lena, maya))).notified).toEqual({});
    expect((await during(() => unfollow(lena, maya))).notified).toEqual({});
    expect((await during(() => follow(lena, maya))).notified).toEqual({});
  });
});

test('a notification shows the current username of its actor, and a replayed request notifies once', async () => {
  const post = await aThought(maya);
  const key = { headers: { 'idempotency-key': 'one-comment' } };
  const { notified } = await during(async () => {
    for (const _ of [1, 2]) await expectOk(lena.post(`/posts/${post.id}/comments`, { text: 'Well.' }, key));
    await Promise.all([requestFollow(lena, maya), requestFollow(lena, maya)]);
  });
  expect(notified.maya?.map(({ type }) => type)).toEqual(['post_commented', 'user_followed']);
  await expectOk(lena.patch('/users/me/profile', { username: 'lena_elsewhere' }));
  const names = (await wholeInboxOf(maya)).map(({ actor }) => actor.username);
  expect(names).toEqual(['lena_elsewhere', 'lena_elsewhere']);
});

describe('the author of a post', () => {
  // docs/product.md N3
  test('comments and replies notify the author of the post, replies the author of the thread too', async () => {
    const post = await aThought(maya);
    const { made: root, notified } = await during(() => aComment(jonas, post));
    const commented = (author: Person, { id: commentId }: Json) => ({
      maya: [notification('post_commented', author, { postId: post.id, commentId })],
    });
    expect(notified).toEqual(commented(jonas, root));
    const reply = await during(() => aReply(lena, post, root));
    expect(reply.notified).toEqual({
      ...commented(lena, reply.made),
      jonas: [notification('comment_replied', lena, { postId: post.id, commentId: reply.made.id })],
    });
  });

  test('the first share to a feed notifies the author, a repeated one nobody', async () => {
    const post = await aThought(maya);
    const first = await during(() => shareToFeed(lena, post));
    expect(first.notified).toEqual({
      maya: [notification('post_shared_to_feed', lena, { postId: post.id })],
    });
    expect((await during(() => shareToFeed(lena, post))).notified).toEqual({});
  });

  test('a comment on or feed share of a Hub post notifies the author without a Hub', async () => {
    const { elm, oak, people: quarter } = await twoHubs(opine);
    const { amara, noor } = quarter;
    const open = await aHubPost(amara, [elm], { visibility: 'public_hub' });
    const commented = await during(() => aComment(noor, open), quarter);
    expect(commented.notified).toEqual({
      amara: [notification('post_commented', noor, { postId: open.id, commentId: commented.made.id })],
    });
    const shareable = await aHubPost(amara, [elm, oak]);
    const { notified } = await during(() => shareToFeed(noor, shareable), quarter);
    expect(notified).toEqual({
      amara: [notification('post_shared_to_feed', noor, { postId: shareable.id })],
    });
  });

  test('a comment on or feed share of a repost notifies the reposter only', async () => {
    const repost = await aRepost(jonas, await aThought(maya));
    const { made, notified } = await during(() => aComment(lena, repost));
    const post = { postId: repost.id, sourcePostId: repost.sourcePostId };
    expect(notified).toEqual({
      jonas: [notification('post_commented', lena, { ...post, commentId: made.id })],
    });
    const shared = await during(() => shareToFeed(lena, repost));
    expect(shared.notified).toEqual({ jonas: [notification('post_shared_to_feed', lena, post)] });
  });

  test('the notification of a deleted comment or repost disappears', async () => {
    const post = await aThought(maya);
    const comment = await aComment(lena, post);
    const repost = await aRepost(jonas, post);
    expect(await wholeInboxOf(maya)).toHaveLength(2);
    await expectOk(lena.delete(`/comments/${comment.id}`));
    expect((await wholeInboxOf(maya)).map(({ postId }) => postId)).toEqual([repost.id]);
    await expectOk(jonas.delete(`/posts/${repost.id}`));
    expect(await wholeInboxOf(maya)).toEqual([]);
  });
});

describe('vote milestones', () => {
  const milestone = (post: Json, milestoneTotal: number, milestoneCount: number) =>
    notification('post_vote_milestone', null, { postId: post.id, milestoneTotal, milestoneCount });

  // docs/product.md N3, N6
  test('the author is notified every 100 votes and a voter 500 votes after their own, without an actor', async () => {
    const post = await aSlider(maya);
    const audience = await anAudience(opine, 501);
    const votesCome = (from: number, to: number) =>
      during(async () => {
        await audienceVotes(opine, audience.slice(from, to), post, 8);
        await foldAllVotes(opine);
      });
    await votesCome(0, 1);
    await during(() => expectOk(castVote(jonas, post)));
    expect((await votesCome(1, 98)).notified).toEqual({});
    expect((await votesCome(98, 99)).notified).toEqual({ maya: [milestone(post, 100, 100)] });
    const upTo501 = await votesCome(99, 500);
    expect(upTo501.notified).toEqual({
      maya: [200, 300, 400, 500].map((total) => milestone(post, total, total)),
    });
    expect((await votesCome(500, 501)).notified).toEqual({ jonas: [milestone(post, 502, 500)] });
  });
});

describe('a new public post', () => {
  // docs/product.md N3
  test('a new post notifies followers but no former followers', async () => {
    const noor = await registeredPerson(opine, 'Noor');
    await follow(noor, maya, jonas);
    await follow(lena, maya);
    await follow(maya, jonas);
    await unfollow(lena, maya);
    await follow(jonas, maya);
    const { made: post, notified } = await during(() => aThought(maya), { ...people, noor });
    const item = notification('followed_user_posted', maya, { postId: post.id });
    expect(notified).toEqual({ jonas: [item], noor: [item] });
  });

  test('a public_hub post notifies followers once without a Hub, besides its Hub notifications', async () => {
    const { elm, oak, people: quarter } = await twoHubs(opine);
    const { amara } = quarter;
    for (const follower of [quarter.maya, quarter.jonas]) await follow(follower, amara);
    const { made: post, notified } = await during(
      () => aHubPost(amara, [elm, oak], { visibility: 'public_hub' }),
      quarter,
    );
    const alert = notification('followed_user_posted', amara, { postId: post.id });
    const created = (hub: object) =>
      notification('hub_post_created', amara, { postId: post.id, ...hubField(hub) });
    expect(notified).toEqual({
      maya: [alert],
      jonas: [alert, created(elm), created(oak)],
      noor: [created(elm)],
      lena: [created(oak)],
    });
  });

  test('a new post notifies each of more than 1,000 followers once', async () => {
    const noor = await registeredPerson(opine, 'Noor');
    await follow(noor, maya);
    await addFollowers(opine, maya, 1001);
    const { made: post, notified } = await during(
      async () => {
        const one = await aThought(maya);
        await runFanOut(opine);
        return one;
      },
      { ...people, noor },
    );
    expect(notified).toEqual({ noor: [notification('followed_user_posted', maya, { postId: post.id })] });
    expect(await notifiedCount(opine, post)).toBe(1002);
  });
});

// docs/product.md N4
describe('an activity without notification', () => {
  test('activity on an own post notifies nobody', async () => {
    const outcome = await during(async () => {
      const post = await aSlider(maya);
      await aReply(maya, post, await aComment(maya, post));
      await shareToFeed(maya, post);
      await expectOk(castVote(maya, post));
      const repost = await aRepost(maya, post);
      await aComment(maya, repost);
    });
    expect(outcome.notified).toEqual({});
  });

  test('saves, reports, blocks, settings, unfollows and deletions notify nobody', async () => {
    await follow(lena, maya);
    const post = await aSlider(maya);
    const comment = await aComment(lena, post);
    const outcome = await during(async () => {
      await expectOk(requestSavePost(lena, post));
      await expectOk(requestUnsavePost(lena, post));
      await expectOk(requestReport(lena, 'posts', post));
      await expectOk(requestReport(lena, 'users', maya));
      await expectOk(lena.get(`/posts/${post.id}/share-link`));
      await expectOk(requestMute(lena, maya));
      await expectOk(maya.patch('/users/me/profile', { bio: 'I live here.' }));
      await expectOk(lena.delete(`/comments/${comment.id}`));
      await unfollow(lena, maya);
      await block(jonas, maya);
      await unblock(jonas, maya);
      await expectOk(maya.delete(`/posts/${post.id}`));
    });
    expect(outcome.notified).toEqual({});
    expect(typesIn(await during(() => follow(jonas, maya)))).toEqual({ maya: ['user_followed'] });
  });

  test('the activity of an ended account is anonymous until the worker deletes it', async () => {
    const post = await aThought(maya);
    await aComment(lena, post);
    await follow(lena, maya);
    await aComment(jonas, post);
    await expectOk(lena.delete('/users/me'));
    // Until the worker deletes the activity of Lena, its actor is anonymous.
    const ofOthers = (await wholeInboxOf(maya)).filter(({ actor }) => actor.id !== jonas.id);
    for (const { actor } of ofOthers) expect(actor).toEqual(NO_ACTOR);
    await waitUntilDeleted(opine, lena.id);
    expect((await wholeInboxOf(maya)).map(({ type, actor }) => [type, actor.id])).toEqual([
      ['post_commented', jonas.id],
    ]);
  });
});
