import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { untilGone } from './builders/departures.ts';
import { aCircle, type Circle } from './builders/discussions.ts';
import { votesAreFolded } from './builders/fold.ts';
import { place } from './builders/frames.ts';
import { granted, mergeInto } from './builders/graph.ts';
import { aHub, aHubPost, aMemberOf, askToLeave, askToRemove, type Hub, join } from './builders/hubs.ts';
import { aGuest, aHubReady, aRegistered, type Person } from './builders/people.ts';
import { aSlider } from './builders/posts.ts';
import { castVote, countsOf, type Position } from './builders/votes.ts';
import { type Client, type Json, refusal } from './harness/client.ts';
import { type Opine, startOpine } from './harness/opine.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

const SLIDER = { sliderText: 'Is the street too loud?' };

/** A circle with a second Hub: Amara and Jonas are in both, Lena is in that one, Maya in none. */
type Town = Circle & { readonly other: Json; readonly lena: Person; readonly maya: Person };

async function aTown(): Promise<Town> {
  const circle = await aCircle(opine);
  const other = await aHub(circle.amara, { name: 'Oak Street' });
  await join(circle.amara, other, [circle.jonas]);
  const lena = await aMemberOf(opine, circle.amara, other, 'Lena');
  return { ...circle, other, lena, maya: await aRegistered(opine, 'Maya') };
}

const vote = (voter: Client, post: Json, position: Position) => granted(castVote(voter, post, position));

/** What is counted in each of `hubs`, as `viewer` sees it. */
async function poolsOf(viewer: Client, post: Json, ...hubs: Hub[]): Promise<number[][]> {
  const pools: number[][] = [];
  for (const hub of hubs) pools.push(await countsOf(viewer, post, hub));
  return pools;
}

/** How a post of Amara's comes into both Hubs, by whom else it is for. */
const OPEN_POSTS: Readonly<Record<string, (town: Town) => Promise<Json>>> = {
  'for everybody, shared into both Hubs': async ({ amara, jonas, hub, other }) => {
    const post = await aSlider(amara);
    await place(jonas, post, hub, other);
    return post;
  },
  'for everybody and both Hubs': ({ amara, hub, other }) =>
    aHubPost(amara, [hub, other], { ...SLIDER, visibility: 'public_hub' }),
  'for everybody and one Hub, shared into the other': async ({ amara, jonas, hub, other }) => {
    const post = await aHubPost(amara, [other], { ...SLIDER, visibility: 'public_hub' });
    await place(jonas, post, hub);
    return post;
  },
};

describe('a vote counts for everybody, and in each Hub of the voter where the post is', () => {
  test.each(Object.entries(OPEN_POSTS))('when it is %s', async (_, publish) => {
    const town = await aTown();
    const { amara, jonas, lena, maya, hub, other } = town;
    const [elsewhere, post, apart] = [await aHub(amara), await publish(town), await publish(town)];
    await join(amara, elsewhere, [jonas]);
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'left');
    await vote(maya, post, 'right');
    await vote(await aHubReady(opine), post, 'strong_right');
    const check = async () => {
      expect(await countsOf(aGuest(opine), post)).toEqual([1, 1, 0, 1, 1]);
      const pools = await poolsOf(amara, post, hub, other, elsewhere);
      expect(pools).toEqual([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], []]);
      expect(await countsOf(amara, apart)).toEqual([]);
      expect(await poolsOf(amara, apart, hub, other)).toEqual([[], []]);
    };
    await check();
    await votesAreFolded(opine);
    await place(jonas, post, hub, other);
    await votesAreFolded(opine);
    await check();
  });
});

describe('a vote on a private post counts in each Hub of the voter where the post is', () => {
  test('for which it is meant, also the vote of its author', async () => {
    const { amara, jonas, lena, hub, other } = await aTown();
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await vote(amara, post, 'strong_right');
    await vote(jonas, post, 'left');
    await vote(lena, post, 'neutral');
    const pools = [
      [0, 1, 0, 0, 1],
      [0, 1, 1, 0, 1],
    ];
    expect(await poolsOf(jonas, post, hub, other)).toEqual(pools);
    await votesAreFolded(opine);
    expect(await poolsOf(jonas, post, hub, other)).toEqual(pools);
  });

  test('into which it was shared onward, and there alone for who is in no other', async () => {
    const { amara, jonas, lena, hub, other } = await aTown();
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
    const amara = await aHubReady(opine);
    const hub = await aHub(amara);
    const post = await aHubPost(amara, [hub], SLIDER);
    await vote(amara, post, 'right');
    expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });
});

describe('a vote counts where the voter is a member when they vote', () => {
  test('not where they join later, nor when the post is shared there after that', async () => {
    const { amara, lena, hub, other } = await aTown();
    const third = await aHub(amara);
    const post = await aSlider(amara);
    await place(amara, post, hub, other);
    await vote(lena, post, 'left');
    await join(amara, hub, [lena]);
    await join(amara, third, [lena]);
    await place(amara, post, third);
    await votesAreFolded(opine);
    expect(await poolsOf(lena, post, hub, other, third)).toEqual([[], [0, 1, 0, 0, 0], []]);
    expect(await castVote(lena, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    await vote(amara, post, 'right');
    expect(await poolsOf(lena, post, hub, third)).toEqual(Array(2).fill([0, 0, 0, 1, 0]));
  });

  test('not where they have been', async () => {
    const { amara, jonas, lena, hub, other } = await aTown();
    const [open, locked] = [await aSlider(amara), await aHubPost(amara, [hub, other], SLIDER)];
    await place(amara, open, hub, other);
    await granted(askToLeave(jonas, hub));
    await granted(askToRemove(amara, other, lena));
    for (const voter of [jonas, lena]) await vote(voter, open, 'left');
    await vote(jonas, locked, 'left');
    expect(await countsOf(amara, open)).toEqual([0, 2, 0, 0, 0]);
    for (const post of [open, locked]) {
      expect(await poolsOf(amara, post, hub, other)).toEqual([[], [0, 1, 0, 0, 0]]);
    }
    // Whoever is back is a member as before.
    await join(amara, other, [lena]);
    await vote(lena, locked, 'right');
    expect(await countsOf(amara, locked, other)).toEqual([0, 1, 0, 1, 0]);
  });

  test.each(['leave', 'are removed', 'end their account'])('and stays when they %s', async (way) => {
    const { amara, jonas, hub, other } = await aTown();
    const posts = [
      await aHubPost(amara, [hub, other], { ...SLIDER, visibility: 'public_hub' }),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of posts) await vote(jonas, post, 'strong_left');
    if (way === 'leave') await granted(askToLeave(jonas, hub));
    else if (way === 'are removed') await granted(askToRemove(amara, hub, jonas));
    else {
      await granted(jonas.delete('/users/me'));
      await untilGone(opine, jonas.id);
    }
    await votesAreFolded(opine);
    for (const post of posts) {
      expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([1, 0, 0, 0, 0]));
    }
    expect(await countsOf(amara, posts[0])).toEqual([1, 0, 0, 0, 0]);
  });

  test('not where the member is into whom they merge, who cannot vote again', async () => {
    const { hub, amara, jonas } = await aTown();
    const nobodyYet = await aRegistered(opine);
    const post = await aHubPost(amara, [hub], { ...SLIDER, visibility: 'public_hub' });
    await vote(nobodyYet, post, 'left');
    const merged = await mergeInto(opine, nobodyYet, jonas);
    await votesAreFolded(opine);
    expect(await castVote(merged, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    expect([await countsOf(merged, post), await countsOf(merged, post, hub)]).toEqual([[0, 1, 0, 0, 0], []]);
  });
});

test('the members of a Hub see the votes of that Hub and no other', async () => {
  const { amara, jonas, lena, hub, other } = await aTown();
  const post = await aHubPost(amara, [hub, other], SLIDER);
  await vote(amara, post, 'left');
  await vote(lena, post, 'right');
  expect(await countsOf(lena, post, other)).toEqual([0, 1, 0, 1, 0]);
  const leaver = await aMemberOf(opine, amara, hub);
  await granted(askToLeave(leaver, hub));
  await join(amara, other, [leaver]);
  for (const member of [lena, leaver]) {
    for (const rest of ['summary', 'distribution']) {
      const path = `/posts/${post.id}/vote/${rest}?hubId=${hub.id}`;
      expect(await member.get(path)).toMatchObject(refusal(403, 'FORBIDDEN'));
    }
  }
  expect(await poolsOf(jonas, post, hub, other)).toEqual([
    [0, 1, 0, 0, 0],
    [0, 1, 0, 1, 0],
  ]);
});
