import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, OPEN, poolsOf, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { expectOk, refusal } from '../support/client.ts';
import { mergeInto } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aSlider, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';
import { foldAllVotes, waitUntilDeleted } from '../support/worker.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

const ALREADY_CAST = refusal(409, 'VOTE_ALREADY_CAST');

/** Ways in which Jonas leaves a Hub after his vote. */
const LEAVING: Readonly<Record<string, () => Promise<unknown>>> = {
  'leaves the Hub': () => expectOk(requestLeave(town.jonas, town.hub)),
  'is removed': () => expectOk(requestRemove(town.amara, town.hub, town.jonas)),
  'ends their account': async () => {
    await expectOk(town.jonas.delete('/users/me'));
    await waitUntilDeleted(opine, town.jonas.id);
  },
};

describe('a vote of a Hub member', () => {
  test('a vote does not count in Hubs that the voter joins later, even after a share into one', async () => {
    const { amara, lena, hub, other } = town;
    const third = await aHub(amara);
    const post = await aSlider(amara);
    await shareToHubs(amara, post, hub, other);
    await vote(lena, post, 'left');
    await join(amara, hub, [lena]);
    await join(amara, third, [lena]);
    await shareToHubs(amara, post, third);
    await foldAllVotes(opine);
    expect(await poolsOf(lena, post, hub, other, third)).toEqual([[], [0, 1, 0, 0, 0], []]);
    await vote(amara, post, 'right');
    expect(await poolsOf(lena, post, hub, third)).toEqual(Array(2).fill([0, 0, 0, 1, 0]));
  });

  test('a vote does not count in Hubs that the voter left before', async () => {
    const { amara, jonas, lena, hub, other } = town;
    const [open, locked] = [await aSlider(amara), await aHubPost(amara, [hub, other], SLIDER)];
    await shareToHubs(amara, open, hub, other);
    await expectOk(requestLeave(jonas, hub));
    await expectOk(requestRemove(amara, other, lena));
    for (const voter of [jonas, lena]) await vote(voter, open, 'left');
    await vote(jonas, locked, 'left');
    expect(await countsOf(amara, open)).toEqual([0, 2, 0, 0, 0]);
    for (const post of [open, locked]) {
      expect(await poolsOf(amara, post, hub, other)).toEqual([[], [0, 1, 0, 0, 0]]);
    }
  });

  test('a vote counts in a Hub that the voter has rejoined', async () => {
    const { amara, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await expectOk(requestRemove(amara, other, lena));
    await join(amara, other, [lena]);
    await vote(lena, post, 'right');
    expect(await poolsOf(amara, post, hub, other)).toEqual([[], [0, 0, 0, 1, 0]]);
  });

  test.each(Object.entries(LEAVING))('a vote stays counted after the voter %s', async (_, leave) => {
    const { amara, jonas, hub, other } = town;
    const [open, locked] = [
      await aHubPost(amara, [hub, other], OPEN),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of [open, locked]) await vote(jonas, post, 'strong_left');
    await leave();
    await foldAllVotes(opine);
    for (const post of [open, locked]) {
      expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([1, 0, 0, 0, 0]));
    }
    expect(await countsOf(amara, open)).toEqual([1, 0, 0, 0, 0]);
  });

  test('a vote of a merged user does not count in the Hubs of the remaining user, who cannot vote again', async () => {
    const { amara, jonas, maya, hub } = town;
    const post = await aHubPost(amara, [hub], OPEN);
    await vote(maya, post, 'left');
    const merged = await mergeInto(opine, maya, jonas);
    await foldAllVotes(opine);
    expect(await castVote(merged, post)).toMatchObject(ALREADY_CAST);
    expect([await countsOf(merged, post), await countsOf(merged, post, hub)]).toEqual([[0, 1, 0, 0, 0], []]);
  });
});

describe('a second vote', () => {
  test('a second vote is 409 after the voter joins another Hub of the post, leaves, or rejoins', async () => {
    const { amara, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, other], SLIDER);
    await vote(lena, post, 'strong_left');
    const moves = [
      () => join(amara, hub, [lena]),
      () => expectOk(requestLeave(lena, other)),
      () => join(amara, other, [lena]),
    ];
    for (const move of moves) {
      await move();
      expect(await castVote(lena, post, 'right')).toMatchObject(ALREADY_CAST);
    }
    expect(await poolsOf(amara, post, other, hub)).toEqual([[1, 0, 0, 0, 0], []]);
  });

  test('ten concurrent votes of one member count once in each of two Hubs', async () => {
    const { amara, jonas, hub, other } = town;
    const [open, locked] = [
      await aHubPost(amara, [hub, other], OPEN),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of [open, locked]) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => castVote(jonas, post)));
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = replies.filter(({ status }) => status !== 201);
      for (const reply of refused) expect(reply).toMatchObject(ALREADY_CAST);
      expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
    }
    expect(await countsOf(amara, open)).toEqual([0, 1, 0, 0, 0]);
  });
});
