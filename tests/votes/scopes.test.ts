import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, OPEN, poolsOf, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { expectOk, refusal } from '../support/client.ts';
import { mergeInto } from '../support/graph.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson } from '../support/people.ts';
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

describe('a vote of a Hub member', () => {
  test('a vote does not count in Hubs that the voter joins later and cannot be repeated there, even after a share', async () => {
    const { amara, lena, hub, other } = town;
    const third = await aHub(amara);
    const post = await aSlider(amara);
    await shareToHubs(amara, post, hub, other);
    await vote(lena, post, 'left');
    await join(amara, hub, [lena]);
    await join(amara, third, [lena]);
    expect(await castVote(lena, post, 'right')).toMatchObject(ALREADY_CAST);
    await shareToHubs(amara, post, third);
    await foldAllVotes(opine);
    expect(await poolsOf(lena, post, hub, other, third)).toEqual([[], [0, 1, 0, 0, 0], []]);
    await vote(amara, post, 'right');
    expect(await poolsOf(lena, post, hub, third)).toEqual(Array(2).fill([0, 0, 0, 1, 0]));
  });

  test('votes stay counted after their voters leave the Hub, are removed or delete their account', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const [open, locked] = [
      await aHubPost(amara, [hub, other], OPEN),
      await aHubPost(amara, [hub, other], SLIDER),
    ];
    for (const post of [open, locked]) {
      await vote(jonas, post, 'strong_left');
      await vote(noor, post, 'left');
      await vote(lena, post, 'right');
    }
    await expectOk(requestLeave(jonas, hub));
    await expectOk(requestRemove(amara, hub, noor));
    await expectOk(lena.delete('/users/me'));
    await waitUntilDeleted(opine, lena.id);
    await foldAllVotes(opine);
    const pools = [
      [1, 1, 0, 0, 0],
      [1, 0, 0, 1, 0],
    ];
    for (const post of [open, locked]) expect(await poolsOf(amara, post, hub, other)).toEqual(pools);
    expect(await countsOf(amara, open)).toEqual([1, 1, 0, 1, 0]);
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

describe('repeated votes', () => {
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

describe('a vote on a public post', () => {
  test('a vote counts globally and in each Hub of the voter that the post was published or shared into', async () => {
    const { amara, jonas, noor, lena, maya, hub, other } = town;
    const publish = async () => {
      const post = await aHubPost(amara, [other], OPEN);
      await shareToHubs(jonas, post, hub);
      return post;
    };
    const [elsewhere, post, apart] = [await aHub(amara), await publish(), await publish()];
    await join(amara, elsewhere, [jonas]);
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'left');
    await vote(noor, post, 'neutral');
    await vote(maya, post, 'right');
    await vote(await hubReadyPerson(opine), post, 'strong_right');
    const check = async () => {
      expect(await countsOf(aGuest(opine), post)).toEqual([1, 1, 1, 1, 1]);
      const pools = await poolsOf(amara, post, hub, other, elsewhere);
      expect(pools).toEqual([[1, 0, 1, 0, 0], [1, 1, 0, 0, 0], []]);
      expect(await countsOf(amara, apart)).toEqual([]);
      expect(await poolsOf(amara, apart, hub, other)).toEqual([[], []]);
    };
    await check();
    await foldAllVotes(opine);
    // A share into a Hub that has the post counts nothing again.
    await shareToHubs(jonas, post, hub, other);
    await foldAllVotes(opine);
    await check();
  });
});

describe('a vote on a private post', () => {
  test('a vote counts in each target Hub of the voter, the author included', async () => {
    const { amara, jonas, noor, lena, hub, other } = town;
    const [elsewhere, post] = [await aHub(jonas), await aHubPost(amara, [hub, other], SLIDER)];
    await vote(amara, post, 'strong_right');
    await vote(jonas, post, 'left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'strong_left');
    const pools = [[1, 1, 0, 0, 1], [0, 1, 1, 0, 1], []];
    expect(await poolsOf(jonas, post, hub, other, elsewhere)).toEqual(pools);
    await foldAllVotes(opine);
    expect(await poolsOf(jonas, post, hub, other, elsewhere)).toEqual(pools);
  });
});
