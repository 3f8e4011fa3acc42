import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, OPEN, poolsOf, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { aHub, aHubPost, join, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, hubReadyPerson } from '../support/people.ts';
import { aSlider, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;
let town: Town;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  town = await aTown(opine);
});

/** Ways in which a public post of Amara's gets into both Hubs. */
const OPEN_POSTS: Readonly<Record<string, () => Promise<Json>>> = {
  'shared into both Hubs': async () => {
    const { amara, jonas, hub, other } = town;
    const post = await aSlider(amara);
    await shareToHubs(jonas, post, hub, other);
    return post;
  },
  'published into both Hubs': () => aHubPost(town.amara, [town.hub, town.other], OPEN),
  'published into one Hub and shared into the other': async () => {
    const { amara, jonas, hub, other } = town;
    const post = await aHubPost(amara, [other], OPEN);
    await shareToHubs(jonas, post, hub);
    return post;
  },
};

describe('a vote on a public post', () => {
  test.each(Object.entries(OPEN_POSTS))(
    'a vote on a post %s counts globally and in each of these Hubs of the voter',
    async (_, publish) => {
      const { amara, jonas, noor, lena, maya, hub, other } = town;
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
    },
  );
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

  test('a vote counts in a Hub that the post was shared into', async () => {
    const { amara, jonas, lena, hub, other } = town;
    const post = await aHubPost(amara, [hub, await aHub(amara)], SLIDER);
    expect(await castVote(lena, post)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    await shareToHubs(jonas, post, other);
    await vote(lena, post, 'left');
    await vote(jonas, post, 'right');
    expect(await poolsOf(amara, post, hub, other)).toEqual([
      [0, 0, 0, 1, 0],
      [0, 1, 0, 1, 0],
    ]);
  });

  test('a vote counts in a Hub whose only member is the voter', async () => {
    const alone = await aHub(town.amara);
    const post = await aHubPost(town.amara, [alone], SLIDER);
    await vote(town.amara, post, 'right');
    expect(await countsOf(town.amara, post, alone)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a vote does not count globally, so an author who left the Hubs sees no votes', async () => {
    const { amara, jonas, hub, other } = town;
    const post = await aHubPost(jonas, [hub, other], SLIDER);
    for (const voter of [amara, jonas]) await vote(voter, post, 'left');
    for (const each of [hub, other]) await expectOk(requestLeave(jonas, each));
    expect(await countsOf(jonas, post)).toEqual([]);
    await foldAllVotes(opine);
    expect(await countsOf(jonas, post)).toEqual([]);
    expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([0, 2, 0, 0, 0]));
  });
});
