import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { expectOk, idsOf, type Json, newestFirst } from '../support/client.ts';
import { homeFeed, homePages, reasonFor } from '../support/feeds.ts';
import { follow, mergeInto, profileSeenBy } from '../support/graph.ts';
import { aHub, join } from '../support/hubs.ts';
import { advanceTime, anOpine, type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  signedInAfter,
} from '../support/people.ts';
import { aSlider, aThought, sliders } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

const DELAY = 'VOTE_ACTIVITY_DELAY_SECONDS';

/** Creates Lena, who follows Jonas, and `count` slider posts of an author whom she does not follow. */
async function aWorld(opine: Opine, count = 1) {
  const [lena, jonas, author] = [
    await registeredPerson(opine, 'Lena'),
    await confirmedPerson(opine, 'Jonas'),
    await confirmedPerson(opine),
  ];
  await follow(lena, jonas);
  const posts = await sliders(author, count);
  return { lena, jonas, posts, post: posts[0] };
}

async function voteOn(posts: readonly Json[], voter: Person): Promise<void> {
  for (const post of posts) await expectOk(castVote(voter, post));
}

describe('a delay of ten minutes', () => {
  let opine: Opine;

  beforeAll(async () => {
    opine = await startOpine({ [DELAY]: '600-600' });
  });

  afterAll(() => opine.stop());

  // docs/product.md V15, F4
  test('a vote counts at once and moves its post up in the feeds of followers after ten minutes', async () => {
    const { post, ...people } = await aWorld(opine);
    await voteOn([post], people.jonas);
    expect(await countsOf(people.lena, post)).toEqual([0, 1, 0, 0, 0]);
    expect((await myVote(people.jonas, post)).data.hasVoted).toBe(true);
    await foldAllVotes(opine);
    let [lena, jonas] = await signedInAfter(opine, '300 seconds', people.lena, people.jonas);
    const between = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await signedInAfter(opine, '290 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await signedInAfter(opine, '20 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([post.id, between.id]);
    expect(await reasonFor(lena, post)).toBe('friend_interaction');
    await foldAllVotes(opine);
    const after = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([after.id, post.id, between.id]);
  });

  test('a post that is already in the feed keeps its position until the delay is over', async () => {
    const people = await aWorld(opine);
    const noor = await hubReadyPerson(opine, 'Noor');
    await follow(people.lena, noor);
    const [old, newer] = [await aSlider(people.jonas), await aThought(people.jonas)];
    await voteOn([old], noor);
    await foldAllVotes(opine);
    expect(await homeFeed(people.lena)).toEqual([newer.id, old.id]);
    expect((await homePages(people.lena, 1)).flatMap(idsOf)).toEqual([newer.id, old.id]);
    const [lena] = await signedInAfter(opine, '601 seconds', people.lena);
    expect(await homeFeed(lena)).toEqual([old.id, newer.id]);
  });

  test.each([
    ['that is folded at once', '0 seconds', '601 seconds'],
    ['that is folded after its delay', '601 seconds', '0 seconds'],
  ])(
    'a vote %s reaches people who follow or share a Hub with the voter when both are over',
    async (_, beforeFold, afterFold) => {
      const { post, ...people } = await aWorld(opine);
      const [amara, noor] = [await hubReadyPerson(opine, 'Amara'), await hubReadyPerson(opine, 'Noor')];
      await voteOn([post], noor);
      const hub = await aHub(amara);
      await join(amara, hub, [noor]);
      await follow(people.lena, noor);
      await advanceTime(opine, beforeFold);
      await foldAllVotes(opine);
      const [lena, hers] = await signedInAfter(opine, afterFold, people.lena, amara);
      expect(await homeFeed(lena)).toEqual([post.id]);
      expect(await homeFeed(hers)).toEqual([post.id]);
    },
  );

  test('a vote of a merged user reaches the followers of the user who remains', async () => {
    const { lena, jonas, post } = await aWorld(opine);
    const voter = await registeredPerson(opine);
    await voteOn([post], voter);
    const merged = await mergeInto(opine, voter, jonas);
    await foldAllVotes(opine);
    expect(await homeFeed(lena)).not.toContain(post.id);
    const [follower] = await signedInAfter(opine, '601 seconds', lena);
    expect(await homeFeed(follower)).toEqual([post.id]);
    expect((await profileSeenBy(merged, merged)).activity.votes).toBe(1);
  });

  // docs/product.md R8
  test.each(['600', 'soon', '-', '300-', '-1800', '1800-300', '1.5-2', '-5-10', '1-2-3', '0-999999999999'])(
    'the configuration refuses the delay "%s" and names the variable',
    (value) => {
      const environment = { ...testEnvironment(opine.database), [DELAY]: value };
      expect(() => readConfig(environment)).toThrow(
        new RegExp(`^Wrong configuration: ${DELAY} must [^;]*\\.$`),
      );
    },
  );
});

// docs/product.md V15, R8
test('each vote has a random delay of its own, of five to thirty minutes by default', async () => {
  const opine = await anOpine({ [DELAY]: undefined });
  const { posts, ...people } = await aWorld(opine, 24);
  await voteOn(posts, people.jonas);
  await foldAllVotes(opine);
  let [lena] = await signedInAfter(opine, '290 seconds', people.lena);
  expect(await homeFeed(lena)).toEqual([]);
  [lena] = await signedInAfter(opine, '760 seconds', lena);
  const halfway = await homeFeed(lena);
  // The odds that all are early, or all late, are below one in a million.
  expect(halfway.length).toBeGreaterThan(0);
  expect(halfway.length).toBeLessThan(posts.length);
  [lena] = await signedInAfter(opine, '760 seconds', lena);
  const whole = await homeFeed(lena);
  expect(whole.toSorted()).toEqual(newestFirst(posts).sort());
  expect(whole.slice(-halfway.length)).toEqual(halfway);
  expect(whole).not.toEqual(newestFirst(posts));
});

test('a vote reaches the feeds of followers at once without a delay', async () => {
  const opine = await anOpine({ [DELAY]: '0-0' });
  const { lena, jonas, posts } = await aWorld(opine, 3);
  for (const post of posts) {
    await voteOn([post], jonas);
    expect((await homeFeed(lena))[0]).toBe(post.id);
  }
  await aThought(jonas);
  const order = await homeFeed(lena);
  await foldAllVotes(opine);
  expect(await homeFeed(lena)).toEqual(order);
});
