import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, OPEN, poolsOf, SLIDER, type Town, vote } from '../simulations/votes/worlds.ts';
import { untilGone } from '../support/account-deletions.ts';
import { refusal } from '../support/client.ts';
import { votesAreFolded } from '../support/fold.ts';
import { place } from '../support/frames.ts';
import { granted, mergeInto } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
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

const AGAIN = refusal(409, 'VOTE_ALREADY_CAST');

/** How Jonas leaves a Hub after he has voted in it. */
const LEAVING: Readonly<Record<string, () => Promise<unknown>>> = {
  leave: () => granted(requestLeave(town.jonas, town.hub)),
  'are removed': () => granted(requestRemove(town.amara, town.hub, town.jonas)),
  'end their account': async () => {
    await granted(town.jonas.delete('/users/me'));
    await untilGone(opine, town.jonas.id);
  },
};

describe('a vote counts where the voter is a member when they vote', () => {
  test('not where they join later, nor when the post is shared there after that', async () => {
    const { amara, lena, hub, other } = town;
    const third = await aHub(amara);
    const post = await aSlider(amara);
    await place(amara, post, hub, other);
    await vote(lena, post, 'left');
    await join(amara, hub, [lena]);
    await join(amara, third, [lena]);
    await place(amara, post, third);
    await votesAreFolded(opine);
    expect(await poolsOf(lena, post, hub, other, third)).toEqual([[], [0, 1, 0, 0, 0], []]);
    await vote(amara, post, 'right');
    expect(await poolsOf(lena, post, hub, third)).toEqual(Array(2).fill([0, 0, 0, 1, 0]));
  });

  test('not where they have been', async () => {
    const { amara, jonas, lena, hub, other } = town;
    const [open, locked] = [await aSlider(amara), await aHubPost(amara, [hub, other], SLIDER)];
    await place(amara, open, hub, other);
    await granted(requestLeave(jonas, hub));
    await granted(requestRemove(amara, other, lena));
    for (const voter of [jonas, lena]) await vote(voter, open, 'left');
    await vote(jonas, locked, 'left');
    expect(await countsOf(amara, open)).toEqual([0, 2, 0, 0, 0]);
    for (const post of [open, locked]) {
      expect(await poolsOf(amara, post, hub, other)).toEqual([[], [0, 1, 0, 0, 0]]);
    }
  });

  test('also where they are back', async () => {
    const { amara, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await granted(requestRemove(amara, other, lena));
    await join(amara, other, [lena]);
    await vote(lena, post, 'right');
    expect(await poolsOf(amara, post, hub, other)).toEqual([[], [0, 0, 0, 1, 0]]);
  });

  test.each(Object.entries(LEAVING))('and stays when they %s', async (_, leave) => {
    const { amara, jonas, hub, other } = town;
    const [open, locked] = [
      await aHubPost(amara, [hub, other], OPEN),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of [open, locked]) await vote(jonas, post, 'strong_left');
    await leave();
    await votesAreFolded(opine);
    for (const post of [open, locked]) {
      expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([1, 0, 0, 0, 0]));
    }
    expect(await countsOf(amara, open)).toEqual([1, 0, 0, 0, 0]);
  });

  test('not where the member is into whom they merge, who cannot vote again', async () => {
    const { amara, jonas, maya, hub } = town;
    const post = await aHubPost(amara, [hub], OPEN);
    await vote(maya, post, 'left');
    const merged = await mergeInto(opine, maya, jonas);
    await votesAreFolded(opine);
    expect(await castVote(merged, post)).toMatchObject(AGAIN);
    expect([await countsOf(merged, post), await countsOf(merged, post, hub)]).toEqual([[0, 1, 0, 0, 0], []]);
  });
});

describe('a vote is one, in all Hubs of the post together', () => {
  test('also for whoever joins another of them, leaves, or comes back', async () => {
    const { amara, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await vote(lena, post, 'strong_left');
    const moves = [
      () => join(amara, hub, [lena]),
      () => granted(requestLeave(lena, other)),
      () => join(amara, other, [lena]),
    ];
    for (const move of moves) {
      await move();
      expect(await castVote(lena, post, 'right')).toMatchObject(AGAIN);
    }
    expect(await poolsOf(amara, post, other, hub)).toEqual([[1, 0, 0, 0, 0], []]);
  });

  test('where a member of two votes ten times at once', async () => {
    const { amara, jonas, hub, other } = town;
    const [open, locked] = [
      await aHubPost(amara, [hub, other], OPEN),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of [open, locked]) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => castVote(jonas, post)));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = replies.filter(({ status }) => status !== 201);
      for (const reply of refused) expect(reply).toMatchObject(AGAIN);
      expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
    }
    expect(await countsOf(amara, open)).toEqual([0, 1, 0, 0, 0]);
  });
});
