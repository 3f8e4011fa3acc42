import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server.ts';
import type { Json } from '../support/client.ts';
import { homeFeed, homePages, newestFirst, reasonFor } from '../support/feeds.ts';
import { follow, granted, idsOf } from '../support/graph.ts';
import { later } from '../support/hub-worlds.ts';
import { aHub, join } from '../support/hubs.ts';
import { anOpine, type Opine, startOpine, testEnvironment } from '../support/opine.ts';
import { aConfirmed, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';

const DELAY = 'VOTE_ACTIVITY_DELAY_SECONDS';

/** An Opine of that delay, where Lena follows Jonas, and a stranger has `count` posts with a slider. */
async function aWorld(delay: string | undefined, count = 1) {
  const opine = await anOpine({ [DELAY]: delay });
  const [lena, jonas, author] = [
    await aRegistered(opine, 'Lena'),
    await aConfirmed(opine, 'Jonas'),
    await aConfirmed(opine),
  ];
  await follow(lena, jonas);
  const posts: Json[] = [];
  while (posts.length < count) posts.push(await aSlider(author));
  return { opine, lena, jonas, posts, post: posts[0] };
}

async function voteOn(posts: readonly Json[], voter: Person): Promise<void> {
  for (const post of posts) await granted(castVote(voter, post));
}

describe('where a vote counts after ten minutes', () => {
  test('friends hear of it then, and see it where it is by that time', async () => {
    const { opine, post, ...people } = await aWorld('600-600');
    await voteOn([post], people.jonas);
    let [lena, jonas] = await later(opine, '300 seconds', people.lena, people.jonas);
    const between = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await later(opine, '290 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([between.id]);
    [lena, jonas] = await later(opine, '20 seconds', lena, jonas);
    expect(await homeFeed(lena)).toEqual([post.id, between.id]);
    expect(await reasonFor(lena, post)).toBe('friend_interaction');
    const after = await aThought(jonas);
    expect(await homeFeed(lena)).toEqual([after.id, post.id, between.id]);
  });

  test('what is in the feed anyway stays where it is until then', async () => {
    const { opine, ...people } = await aWorld('600-600');
    const [old, newer] = [await aSlider(people.jonas), await aThought(people.jonas)];
    await voteOn([old], people.jonas);
    expect(await homeFeed(people.lena)).toEqual([newer.id, old.id]);
    expect((await homePages(people.lena, 1)).flatMap(idsOf)).toEqual([newer.id, old.id]);
    const [lena] = await later(opine, '601 seconds', people.lena);
    expect(await homeFeed(lena)).toEqual([old.id, newer.id]);
  });

  test('the result is there at once', async () => {
    const { lena, jonas, post } = await aWorld('600-600');
    await voteOn([post], jonas);
    expect(await countsOf(lena, post)).toEqual([0, 1, 0, 0, 0]);
    expect((await myVote(jonas, post)).data.hasVoted).toBe(true);
  });

  test('it counts for those whose friend the voter is by then', async () => {
    const { opine, post, ...people } = await aWorld('600-600');
    const amara = await aHubReady(opine, 'Amara');
    const noor = await aHubReady(opine, 'Noor');
    await voteOn([post], noor);
    const hub = await aHub(amara);
    await join(amara, hub, [noor]);
    await follow(people.lena, noor);
    const [lena, hers] = await later(opine, '601 seconds', people.lena, amara);
    expect(await homeFeed(lena)).toEqual([post.id]);
    expect(await homeFeed(hers)).toEqual([post.id]);
  });
});

describe.each([
  ['300-1800', '300-1800'],
  ['unless it is said', undefined],
])('where a vote counts after five to thirty minutes (%s)', (_, delay) => {
  test('each does by itself, in no order', async () => {
    const { opine, posts, ...people } = await aWorld(delay, 24);
    await voteOn(posts, people.jonas);
    let [lena] = await later(opine, '290 seconds', people.lena);
    expect(await homeFeed(lena)).toEqual([]);
    [lena] = await later(opine, '760 seconds', lena);
    const halfway = await homeFeed(lena);
    // That all of them are early, or late, is less likely than one in a million.
    expect(halfway.length).toBeGreaterThan(0);
    expect(halfway.length).toBeLessThan(posts.length);
    [lena] = await later(opine, '760 seconds', lena);
    const whole = await homeFeed(lena);
    expect(whole.toSorted()).toEqual(newestFirst(posts).sort());
    expect(whole.slice(-halfway.length)).toEqual(halfway);
    expect(whole).not.toEqual(newestFirst(posts));
  });
});

test('where there is no delay, it counts at once', async () => {
  const { lena, jonas, posts } = await aWorld('0-0', 3);
  for (const post of posts) {
    await voteOn([post], jonas);
    expect((await homeFeed(lena))[0]).toBe(post.id);
  }
});

let refusing: Opine;

beforeAll(async () => {
  refusing = await startOpine();
});

afterAll(() => refusing.stop());

test.each(['600', 'soon', '-', '300-', '-1800', '1800-300', '1.5-2', '-5-10', '1-2-3', '0-999999999999'])(
  'a delay like "%s" is refused at the start, by its name',
  async (value) => {
    const started = startServer({ ...testEnvironment(refusing.database), [DELAY]: value });
    onTestFinished(() =>
      started.then(
        (server) => server.stop(),
        () => {},
      ),
    );
    await expect(started).rejects.toThrow(new RegExp(`^Wrong configuration: ${DELAY} must [^;]*\\.$`));
  },
);
