import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPEN, poolsOf, SLIDER, vote } from '../simulations/votes/fixtures.ts';
import { expectOk, refusal } from '../support/client.ts';
import { aHubOfTwo, type HubOfTwo } from '../support/discussions.ts';
import { aHub, aHubPost, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aRepost, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf, distributionOf, hubVotesOf, myVote, summaryOf } from '../support/votes.ts';

let opine: Opine;
/** Amara's Hub with the member Jonas. */
let circle: HubOfTwo;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  circle = await aHubOfTwo(opine);
});

const NOT_ALLOWED = refusal(403, 'VOTE_NOT_ALLOWED');
const NOT_VOTABLE = refusal(409, 'POST_NOT_VOTABLE');

describe('an author outside the Hubs of their private post', () => {
  const LEAVING: Readonly<Record<string, () => Promise<unknown>>> = {
    left: () => expectOk(requestLeave(circle.jonas, circle.hub)),
    'was removed': () => expectOk(requestRemove(circle.amara, circle.hub, circle.jonas)),
  };

  test.each(Object.entries(LEAVING))(
    'an author who %s gets 403 for a vote until they rejoin',
    async (_, leave) => {
      const { amara, jonas, hub } = circle;
      const post = await aHubPost(jonas, [hub], SLIDER);
      await leave();
      // Membership in a Hub without the post is not enough.
      await aHub(jonas);
      expect(await castVote(jonas, post)).toMatchObject(NOT_ALLOWED);
      expect((await myVote(jonas, post)).data.hasVoted).toBe(false);
      expect(await countsOf(amara, post)).toEqual([]);
      await join(amara, hub, [jonas]);
      await vote(jonas, post);
      expect(await countsOf(amara, post)).toEqual([0, 1, 0, 0, 0]);
    },
  );

  test('a vote counts only in the Hub that the post was shared into and the author joined', async () => {
    const { amara, jonas, hub } = circle;
    const [second, next] = [await aHub(amara), await aHub(amara)];
    await join(amara, second, [jonas]);
    const post = await aHubPost(jonas, [hub, second], SLIDER);
    for (const each of [hub, second]) await expectOk(requestLeave(jonas, each));
    expect(await castVote(jonas, post)).toMatchObject(NOT_ALLOWED);
    await shareToHubs(amara, post, next);
    await join(amara, next, [jonas]);
    await vote(jonas, post);
    expect(await poolsOf(amara, post, hub, second, next)).toEqual([[], [], [0, 1, 0, 0, 0]]);
  });
});

test('a post or repost without a slider is 409 in every scope, even if its original has a slider', async () => {
  const { amara, jonas, hub } = circle;
  const source = await aHubPost(amara, [hub], OPEN);
  const inHub = { visibility: 'private_locked_hub', hubIds: [hub.id] };
  const reposts = [await aRepost(amara, source), await aRepost(amara, source, inHub)];
  for (const post of [await aHubPost(amara, [hub]), ...reposts]) {
    expect(await castVote(jonas, post)).toMatchObject(NOT_VOTABLE);
    for (const read of [myVote, summaryOf, distributionOf, hubVotesOf]) {
      expect(await read(jonas, post)).toMatchObject(NOT_VOTABLE);
    }
    expect(await summaryOf(jonas, post, hub)).toMatchObject(NOT_VOTABLE);
    expect(await distributionOf(jonas, post, hub)).toMatchObject(NOT_VOTABLE);
  }
  expect([await countsOf(amara, source), await countsOf(amara, source, hub)]).toEqual([[], []]);
});
