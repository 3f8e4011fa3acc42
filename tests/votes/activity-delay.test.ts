import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import { expectOk, idsOf, type Json, newestFirst } from '../support/client.ts';
import { homeFeed, homePages, reasonFor } from '../support/feeds.ts';
import { follow } from '../support/graph.ts';
import { aHub, join } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  signedInAfter,
} from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

const DELAY = 'VOTE_ACTIVITY_DELAY_SECONDS';

/** Starts an Opine with that delay. Lena follows Jonas; somebody whom she does not follow has `count` slider posts. */
async function aWorld(delay: string | undefined, count = 1) {
  const opine = await anOpine({ [DELAY]: delay });
  const [lena, jonas, author] = [
    await registeredPerson(opine, 'Lena'),
    await confirmedPerson(opine, 'Jonas'),
    await confirmedPerson(opine),
  ];
  await follow(lena, jonas);
  const posts: Json[] = [];
  while (posts.length < count) posts.push(await aSlider(author));
  return { opine, lena, jonas, posts, post: posts[0] };
}

async function voteOn(posts: readonly Json[], voter: Person): Promise<void> {
  for (const post of posts) await expectOk(castVote(voter, post));
}

describe('a delay of ten minutes', () => {
  test('a vote moves its post up in the feeds of followers after ten minutes', async () => {
    const { opine, post, ...people } = await aWorld('600-600');
    await voteOn([post], people.jonas);
    let [lena, jonas] = await signedInAfter(opine, '300 seconds', people.lena, people.jonas);
    const between = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await signedInAfter(opine, '290 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await signedInAfter(opine, '20 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([post.id, between.id]);
    expect(await reasonFor(lena, post)).toBe('friend_interaction');
    const after = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([after.id, post.id, between.id]);
  });

  test('a post that is already in the feed keeps its position until the delay is over', async () => {
    const { opine, ...people } = await aWorld('600-600');
    const [old, newer] = [await aSlider(people.jonas), await aThought(people.jonas)];
    await voteOn([old], people.jonas);
    expect(await homeFeed(people.lena)).toEqual([newer.id, old.id]);
    expect((await homePages(people.lena, 1)).flatMap(idsOf)).toEqual([newer.id, old.id]);
    const [lena] = await signedInAfter(opine, '601 seconds', people.lena);
    expect(await homeFeed(lena)).toEqual([old.id, newer.id]);
  });

  test('a vote shows in the result at once', async () => {
    const { lena, jonas, post } = await aWorld('600-600');
    await voteOn([post], jonas);
    expect(await countsOf(lena, post)).toEqual([0, 1, 0, 0, 0]);
    expect((await myVote(jonas, post)).data.hasVoted).toBe(true);
  });

  test('a vote reaches people who follow or share a Hub with the voter when the delay is over', async () => {
    const { opine, post, ...people } = await aWorld('600-600');
    const amara = await hubReadyPerson(opine, 'Amara');
    const noor = await hubReadyPerson(opine, 'Noor');
    await voteOn([post], noor);
    const hub = await aHub(amara);
    await join(amara, hub, [noor]);
    await follow(people.lena, noor);
    const [lena, hers] = await signedInAfter(opine, '601 seconds', people.lena, amara);
    expect(await homeFeed(lena)).toEqual([post.id]);
    expect(await homeFeed(hers)).toEqual([post.id]);
  });
});

describe.each([
  ['VOTE_ACTIVITY_DELAY_SECONDS=300-1800', '300-1800'],
  ['the default', undefined],
])('a delay of five to thirty minutes, by %s', (_, delay) => {
  test('each vote has a random delay of its own', async () => {
    const { opine, posts, ...people } = await aWorld(delay, 24);
    await voteOn(posts, people.jonas);
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
});

test('a vote reaches the feeds of followers at once without a delay', async () => {
  const { lena, jonas, posts } = await aWorld('0-0', 3);
  for (const post of posts) {
    await voteOn([post], jonas);
    expect((await homeFeed(lena))[0]).toBe(post.id);
  }
});

let configured: Opine;

beforeAll(async () => {
  configured = await startOpine();
});

afterAll(() => configured.stop());

test.each(['600', 'soon', '-', '300-', '-1800', '1800-300', '1.5-2', '-5-10', '1-2-3', '0-999999999999'])(
  'the server refuses to start with the delay "%s" and names the variable',
  async (value) => {
    const starting = startServer({ ...testEnvironment(configured.database), [DELAY]: value });
    onTestFinished(() =>
      starting.then(
        (server) => server.stop(),
        () => {},
      ),
    );
    await expect(starting).rejects.toThrow(new RegExp(`^Wrong configuration: ${DELAY} must [^;]*\\.$`));
  },
);
