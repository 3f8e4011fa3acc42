import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import { anAudience, audienceVotes } from '../support/audience.ts';
import type { Json } from '../support/client.ts';
import { aReply } from '../support/comments.ts';
import { votesAreFolded } from '../support/fold.ts';
import {
  aComment,
  aRepost,
  place,
  requestReport,
  requestSave,
  requestUnsave,
  share,
} from '../support/frames.ts';
import {
  block,
  follow,
  granted,
  mergeInto,
  requestFollow,
  requestMute,
  unblock,
  unfollow,
} from '../support/graph.ts';
import { aHubPost } from '../support/hubs.ts';
import {
  aQuarter,
  audienceFollows,
  everyoneIsNotified,
  inHub,
  NO_ACTOR,
  notification,
  notificationsDuring,
  notifiedCount,
  type People,
  typesIn,
  wholeInboxOf,
} from '../support/notification-worlds.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote } from '../support/votes.ts';

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
    await aConfirmed(opine, 'Maya'),
    await aConfirmed(opine, 'Jonas'),
    await aRegistered(opine, 'Lena'),
  ];
  people = { maya, jonas, lena };
});

const during = <Made>(act: () => Promise<Made>, who: People = people) => notificationsDuring(opine, who, act);

describe('who is followed', () => {
  test('is told by whom, and again when it begins anew', async () => {
    const byLena = { maya: [notification('user_followed', lena)] };
    expect((await during(() => follow(lena, maya))).told).toEqual(byLena);
    expect((await during(() => requestFollow(lena, maya))).told).toEqual({});
    expect((await during(() => unfollow(lena, maya))).told).toEqual({});
    expect((await during(() => follow(lena, maya))).told).toEqual(byLena);
  });
});

test('who acts is named as they are called now, and what was asked twice with one key is told once', async () => {
  const post = await aThought(maya);
  const key = { headers: { 'idempotency-key': 'one-comment' } };
  const { told } = await during(async () => {
    for (const _ of [1, 2]) await granted(lena.post(`/posts/${post.id}/comments`, { text: 'Well.' }, key));
    await Promise.all([requestFollow(lena, maya), requestFollow(lena, maya)]);
  });
  expect(told.maya?.map(({ type }) => type)).toEqual(['post_commented', 'user_followed']);
  await granted(lena.patch('/users/me/profile', { username: 'lena_elsewhere' }));
  const names = (await wholeInboxOf(maya)).map(({ actor }) => actor.username);
  expect(names).toEqual(['lena_elsewhere', 'lena_elsewhere']);
});

describe('whose post it is', () => {
  test('is told of comments, of replies among others too, and nobody else is', async () => {
    const post = await aThought(maya);
    const { made: root, told } = await during(() => aComment(jonas, post));
    const commented = (author: Person, { id: commentId }: Json) => ({
      maya: [notification('post_commented', author, { postId: post.id, commentId })],
    });
    expect(told).toEqual(commented(jonas, root));
    const reply = await during(() => aReply(lena, post, root));
    expect(reply.told).toEqual(commented(lena, reply.made));
  });

  test('is told of a public repost, once and in no Hub, in whatever Hubs it is', async () => {
    const { elm, oak, people: quarter } = await aQuarter(opine);
    const post = await aThought(maya);
    const { made, told } = await during(() => aRepost(jonas, post));
    const reposted = (actor: Person, { id: postId }: Json) => ({
      maya: [notification('post_reposted', actor, { postId, sourcePostId: post.id })],
    });
    expect(told).toEqual(reposted(jonas, made));
    const inHubs = { visibility: 'public_hub', hubIds: [elm.id, oak.id] };
    const second = await during(() => aRepost(quarter.jonas, post, inHubs));
    expect(second.told).toEqual(reposted(quarter.jonas, second.made));
  });

  test('is told each time that it is shared to a feed', async () => {
    const post = await aThought(maya);
    for (const _ of [1, 2]) {
      const { told } = await during(() => share(lena, post));
      expect(told).toEqual({ maya: [notification('post_shared_to_feed', lena, { postId: post.id })] });
    }
  });

  test('is told in no Hub of what is done with a post of Hubs', async () => {
    const { elm, oak, people: quarter } = await aQuarter(opine);
    const { amara, noor } = quarter;
    const open = await aHubPost(amara, [elm], { visibility: 'public_hub' });
    const commented = await during(() => aComment(noor, open), quarter);
    expect(commented.told).toEqual({
      amara: [notification('post_commented', noor, { postId: open.id, commentId: commented.made.id })],
    });
    const shareable = await aHubPost(amara, [elm, oak]);
    const { told } = await during(() => share(noor, shareable), quarter);
    expect(told).toEqual({ amara: [notification('post_shared_to_feed', noor, { postId: shareable.id })] });
  });

  test('of a repost alone is told of what is done with the repost', async () => {
    const repost = await aRepost(jonas, await aThought(maya));
    const { made, told } = await during(() => aComment(lena, repost));
    const post = { postId: repost.id, sourcePostId: repost.sourcePostId };
    expect(told).toEqual({ jonas: [notification('post_commented', lena, { ...post, commentId: made.id })] });
    const shared = await during(() => share(lena, repost));
    expect(shared.told).toEqual({ jonas: [notification('post_shared_to_feed', lena, post)] });
  });

  test('is no longer told of a comment or repost that is gone', async () => {
    const post = await aThought(maya);
    const comment = await aComment(lena, post);
    const repost = await aRepost(jonas, post);
    expect(await wholeInboxOf(maya)).toHaveLength(2);
    await granted(lena.delete(`/comments/${comment.id}`));
    expect((await wholeInboxOf(maya)).map(({ postId }) => postId)).toEqual([repost.id]);
    await granted(jonas.delete(`/posts/${repost.id}`));
    expect(await wholeInboxOf(maya)).toEqual([]);
  });
});

describe('of votes', () => {
  const told = (post: Json, milestoneTotal: number, milestoneCount: number) =>
    notification('post_vote_milestone', null, { postId: post.id, milestoneTotal, milestoneCount });

  test('creator and voters are told by hundreds and five hundreds, and not by whom', async () => {
    const post = await aSlider(maya);
    const audience = await anAudience(opine, 501);
    const votesCome = (from: number, to: number) =>
      during(async () => {
        await audienceVotes(opine, audience.slice(from, to), post, 8);
        await votesAreFolded(opine);
      });
    await votesCome(0, 1);
    await during(() => granted(castVote(jonas, post)));
    expect((await votesCome(1, 98)).told).toEqual({});
    expect((await votesCome(98, 99)).told).toEqual({ maya: [told(post, 100, 100)] });
    const upTo501 = await votesCome(99, 500);
    expect(upTo501.told).toEqual({ maya: [200, 300, 400, 500].map((total) => told(post, total, total)) });
    expect((await votesCome(500, 501)).told).toEqual({ jonas: [told(post, 502, 500)] });
  });

  test('on a repost its creator is told, who is not that of the original', async () => {
    const source = await aSlider(maya);
    const repost = await aRepost(jonas, source, { sliderText: 'Is that so?' });
    const votes = await during(async () => {
      await audienceVotes(opine, await anAudience(opine, 100), repost, 8);
      await votesAreFolded(opine);
    });
    const post = { postId: repost.id, sourcePostId: source.id };
    const counts = { milestoneTotal: 100, milestoneCount: 100 };
    expect(votes.told).toEqual({
      jonas: [notification('post_vote_milestone', null, { ...post, ...counts })],
    });
  });

  test('nobody is told one by one', async () => {
    const post = await aSlider(maya);
    const telling = await during(async () => {
      await granted(castVote(lena, post));
      await granted(castVote(maya, post));
      await votesAreFolded(opine);
    });
    expect(telling.told).toEqual({});
    expect(typesIn(await during(() => aComment(lena, post)))).toEqual({ maya: ['post_commented'] });
  });
});

describe('of a new post of somebody', () => {
  test('followers are told, and who follows no longer is not', async () => {
    const noor = await aRegistered(opine, 'Noor');
    await follow(noor, maya, jonas);
    await follow(lena, maya);
    await follow(maya, jonas);
    await unfollow(lena, maya);
    await follow(jonas, maya);
    const { made: post, told } = await during(() => aThought(maya), { ...people, noor });
    const item = notification('followed_user_posted', maya, { postId: post.id });
    expect(told).toEqual({ jonas: [item], noor: [item] });
  });

  test('followers are told once, in no Hub, beside what is told in Hubs', async () => {
    const { elm, oak, people: quarter } = await aQuarter(opine);
    const { amara } = quarter;
    for (const follower of [quarter.maya, quarter.jonas]) await follow(follower, amara);
    const { made: post, told } = await during(
      () => aHubPost(amara, [elm, oak], { visibility: 'public_hub' }),
      quarter,
    );
    const alert = notification('followed_user_posted', amara, { postId: post.id });
    const created = (hub: object) =>
      notification('hub_post_created', amara, { postId: post.id, ...inHub(hub) });
    expect(told).toEqual({
      maya: [alert],
      jonas: [alert, created(elm), created(oak)],
      noor: [created(elm)],
      lena: [created(oak)],
    });
  });

  test('followers are told once, however many they are', async () => {
    const noor = await aRegistered(opine, 'Noor');
    await follow(noor, maya);
    await audienceFollows(opine, maya, 1001);
    const { made: post, told } = await during(
      async () => {
        const one = await aThought(maya);
        await everyoneIsNotified(opine);
        return one;
      },
      { ...people, noor },
    );
    expect(told).toEqual({ noor: [notification('followed_user_posted', maya, { postId: post.id })] });
    expect(await notifiedCount(opine, post)).toBe(1002);
  });

  test('followers are told of reposts as of originals', async () => {
    await follow(lena, jonas);
    const source = await aThought(maya);
    const { made: repost, told } = await during(() => aRepost(jonas, source));
    const post = { postId: repost.id, sourcePostId: source.id };
    expect(told).toEqual({
      lena: [notification('followed_user_posted', jonas, post)],
      maya: [notification('post_reposted', jonas, post)],
    });
  });

  test('followers are told nothing where it is for Hubs alone, or only shared', async () => {
    const { elm, oak, people: quarter } = await aQuarter(opine);
    const { amara, noor, sven } = quarter;
    await follow(sven, amara);
    await follow(quarter.maya, amara);
    const source = await aThought(noor);
    const telling = await during(
      async () => {
        await aHubPost(amara, [elm]);
        await aHubPost(amara, [elm, oak]);
        await aRepost(amara, source, { visibility: 'private_locked_hub', hubIds: [elm.id] });
        await place(amara, source, elm);
        await share(amara, source);
      },
      { sven, maya: quarter.maya },
    );
    expect(telling.told).toEqual({});
    const control = await during(() => aThought(amara), { sven });
    expect(typesIn(control)).toEqual({ sven: ['followed_user_posted'] });
  });
});

describe('nobody is told', () => {
  test('of what they do with what is theirs', async () => {
    const telling = await during(async () => {
      const post = await aSlider(maya);
      await aReply(maya, post, await aComment(maya, post));
      await share(maya, post);
      await granted(castVote(maya, post));
      const repost = await aRepost(maya, post);
      await aComment(maya, repost);
    });
    expect(telling.told).toEqual({});
  });

  test('of what somebody did who has become them, and all is by whom others have become', async () => {
    const [noor, known] = [await aRegistered(opine, 'Noor'), await aConfirmed(opine, 'Known')];
    const post = await aThought(maya);
    for (const person of [lena, noor]) {
      await follow(person, maya);
      await aComment(person, post);
    }
    await mergeInto(opine, lena, maya);
    await mergeInto(opine, noor, known);
    expect((await wholeInboxOf(maya)).map(({ type, actor }) => [type, actor.id])).toEqual([
      ['post_commented', known.id],
      ['user_followed', known.id],
    ]);
  });

  test('of saving, reports, blocks, settings and ends', async () => {
    await follow(lena, maya);
    const post = await aSlider(maya);
    const comment = await aComment(lena, post);
    const telling = await during(async () => {
      await granted(requestSave(lena, post));
      await granted(requestUnsave(lena, post));
      await granted(requestReport(lena, 'posts', post));
      await granted(requestReport(lena, 'users', maya));
      await granted(lena.get(`/posts/${post.id}/share-link`));
      await granted(requestMute(lena, maya));
      await granted(maya.patch('/users/me/profile', { bio: 'I live here.' }));
      await granted(lena.delete(`/comments/${comment.id}`));
      await unfollow(lena, maya);
      await block(jonas, maya);
      await unblock(jonas, maya);
      await granted(maya.delete(`/posts/${post.id}`));
    });
    expect(telling.told).toEqual({});
    expect(typesIn(await during(() => follow(lena, maya)))).toEqual({ maya: ['user_followed'] });
  });

  test('any longer by whoever has ended their account', async () => {
    const post = await aThought(maya);
    await aComment(lena, post);
    await follow(lena, maya);
    await aComment(jonas, post);
    await granted(lena.delete('/users/me'));
    // The worker removes what they did; until it has, that names nobody.
    const ofOthers = (await wholeInboxOf(maya)).filter(({ actor }) => actor.id !== jonas.id);
    for (const { actor } of ofOthers) expect(actor).toEqual(NO_ACTOR);
    await untilGone(opine, lena.id);
    expect((await wholeInboxOf(maya)).map(({ type, actor }) => [type, actor.id])).toEqual([
      ['post_commented', jonas.id],
    ]);
  });
});
