import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, OPEN, poolsOf, SLIDER, type Town, vote } from '../simulations/votes/worlds.ts';
import { type Json, refusal } from '../support/client.ts';
import { votesAreFolded } from '../support/fold.ts';
import { place } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** How a post of Amara's comes into both Hubs, by whom else it is for. */
const OPEN_POSTS: Readonly<Record<string, () => Promise<Json>>> = {
  'for everybody, shared into both Hubs': async () => {
    const { amara, jonas, hub, other } = town;
    const post = await aSlider(amara);
    await place(jonas, post, hub, other);
    return post;
  },
  'for everybody and both Hubs': () => aHubPost(town.amara, [town.hub, town.other], OPEN),
  'for everybody and one Hub, shared into the other': async () => {
    const { amara, jonas, hub, other } = town;
    const post = await aHubPost(amara, [other], OPEN);
    await place(jonas, post, hub);
    return post;
  },
};

describe('a vote counts for everybody, and in each Hub of the voter where the post is', () => {
  test.each(Object.entries(OPEN_POSTS))('when it is %s', async (_, publish) => {
    const { amara, jonas, noor, lena, maya, hub, other } = town;
    const [elsewhere, post, apart] = [await aHub(amara), await publish(), await publish()];
    await join(amara, elsewhere, [jonas]);
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'left');
    await vote(noor, post, 'neutral');
    await vote(maya, post, 'right');
    await vote(await aHubReady(opine), post, 'strong_right');
    const check = async () => {
      expect(await countsOf(aGuest(opine), post)).toEqual([1, 1, 1, 1, 1]);
      const pools = await poolsOf(amara, post, hub, other, elsewhere);
      expect(pools).toEqual([[1, 0, 1, 0, 0], [1, 1, 0, 0, 0], []]);
      expect(await countsOf(amara, apart)).toEqual([]);
      expect(await poolsOf(amara, apart, hub, other)).toEqual([[], []]);
    };
    await check();
    await votesAreFolded(opine);
    // To share it into a Hub where it is already counts nothing again.
    await place(jonas, post, hub, other);
    await votesAreFolded(opine);
    await check();
  });
});

describe('a vote on a private post counts in each Hub of the voter where the post is', () => {
  test('for which it is meant, also the vote of its author', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const [elsewhere, post] = [await aHub(jonas), await aHubPost(amara, [hub, other], SLIDER)];
    await vote(amara, post, 'strong_right');
    await vote(jonas, post, 'left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'strong_left');
    const pools = [[1, 1, 0, 0, 1], [0, 1, 1, 0, 1], []];
    expect(await poolsOf(jonas, post, hub, other, elsewhere)).toEqual(pools);
    await votesAreFolded(opine);
    expect(await poolsOf(jonas, post, hub, other, elsewhere)).toEqual(pools);
  });

  test('into which it was shared onward, and there alone for who is in no other', async () => {
    const { amara, jonas, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, await aHub(amara)], SLIDER);
    expect(await castVote(lena, post)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    await place(jonas, post, other);
    await vote(lena, post, 'left');
    await vote(jonas, post, 'right');
    expect(await poolsOf(amara, post, hub, other)).toEqual([
      [0, 0, 0, 1, 0],
      [0, 1, 0, 1, 0],
    ]);
  });

  test('that is theirs alone', async () => {
    const alone = await aHub(town.amara);
    const post = await aHubPost(town.amara, [alone], SLIDER);
    await vote(town.amara, post, 'right');
    expect(await countsOf(town.amara, post, alone)).toEqual([0, 0, 0, 1, 0]);
  });

  test('and not for everybody, as its author sees who has left them', async () => {
    const { amara, jonas, hub, other } = town;
    const post = await aHubPost(jonas, [hub, other], SLIDER);
    for (const voter of [amara, jonas]) await vote(voter, post, 'left');
    for (const each of [hub, other]) await granted(requestLeave(jonas, each));
    expect(await countsOf(jonas, post)).toEqual([]);
    await votesAreFolded(opine);
    expect(await countsOf(jonas, post)).toEqual([]);
    expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([0, 2, 0, 0, 0]));
  });
});
