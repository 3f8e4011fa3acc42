import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aTown, bucketsOf, OPEN, poolsOf, SLIDER, type Town, vote } from '../simulations/votes/fixtures.ts';
import { type Client, expectOk, type Json, NONEXISTENT, refusal, withQuery } from '../support/client.ts';
import { mergeInto } from '../support/graph.ts';
import { aHub, aHubPost, type Hub, invalid, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { aGuest, type Person, registeredPerson } from '../support/people.ts';
import { aSlider, seenBy, shareToHubs } from '../support/posts.ts';
import { castVote, countsOf, myVote, type Position } from '../support/votes.ts';
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

/** Sends a vote with `?hubId=` of a Hub, if one is passed. */
const voteIn = (voter: Client, { id }: Json, hubId?: string) =>
  voter.post(withQuery(`/posts/${id}/vote`, hubId === undefined ? {} : { hubId }), { position: 'left' });

describe('the answer to a vote', () => {
  // docs/product.md V9
  test('a registered voter without a phone gets 201 and the result', async () => {
    const post = await aSlider(town.amara);
    const { status, data } = await castVote(town.maya, post, 'right');
    expect([status, data]).toEqual([201, { postId: post.id, summary: bucketsOf([0, 0, 0, 1, 0]) }]);
  });

  // docs/product.md W16, V1
  test('an idempotency key is ignored: the second vote is 409 and no key is stored', async () => {
    const post = await aSlider(town.amara);
    const again = () =>
      town.maya.post(
        `/posts/${post.id}/vote`,
        { position: 'left' },
        { headers: { 'idempotency-key': 'vote' } },
      );
    expect((await again()).status).toBe(201);
    expect(await again()).toMatchObject(ALREADY_CAST);
    const keys = await opine.database.superuser
      .selectFrom('gateway.idempotent_answers')
      .selectAll()
      .where('user_id', '=', town.maya.id)
      .execute();
    expect(keys).toEqual([]);
  });

  // docs/product.md V11
  test('the summary is that of the displayed scope, or of the requested Hub', async () => {
    const { amara, jonas, lena, maya, hub, other } = town;
    const open = await aHubPost(amara, [hub], OPEN);
    const locked = await aHubPost(amara, [other, await aHub(amara)], SLIDER);
    await shareToHubs(amara, locked, hub);
    const expectSummary = async (voter: Client, post: Json, of: Hub | undefined, counts: number[]) =>
      expect(await expectOk(voteIn(voter, post, of?.id))).toEqual({
        postId: post.id,
        summary: bucketsOf(counts),
      });
    await expectSummary(maya, open, undefined, [0, 1, 0, 0, 0]);
    await expectSummary(jonas, open, undefined, [0, 2, 0, 0, 0]);
    await expectSummary(amara, open, hub, [0, 2, 0, 0, 0]);
    // The post is not in the Hub that Lena requests.
    await expectSummary(lena, open, other, []);
    await vote(lena, locked);
    await expectSummary(jonas, locked, undefined, [0, 2, 0, 0, 0]);
    await expectSummary(amara, locked, hub, [0, 2, 0, 0, 0]);
  });

  test('?hubId= is 422 unless it is a UUID, for votes and reads', async () => {
    const post = await aHubPost(town.amara, [town.hub], SLIDER);
    for (const hubId of ['', 'garlic', `${NONEXISTENT.id}0`]) {
      for (const rest of ['', '/frames', '/vote/summary', '/vote/distribution'])
        expect(await town.amara.get(withQuery(`/posts/${post.id}${rest}`, { hubId }))).toMatchObject(
          invalid('hubId'),
        );
      expect(await voteIn(town.amara, post, hubId)).toMatchObject(invalid('hubId'));
    }
    expect((await myVote(town.amara, post)).data.hasVoted).toBe(false);
  });
});

// docs/product.md V2, V13
test('GET /posts/{postId}/vote/me answers whether and when the caller voted, to the minute, without a position', async () => {
  const { amara, jonas, maya } = town;
  const post = await aSlider(amara);
  expect((await myVote(maya, post)).data).toEqual({ postId: post.id, hasVoted: false, votedAt: null });
  const before = await currentTime(opine);
  await castVote(maya, post, 'strong_left');
  await castVote(jonas, post, 'strong_right');
  const { data } = await myVote(maya, post);
  const votedAt = expect.stringMatching(/:00(\.000)?Z$/);
  expect(data).toEqual({ postId: post.id, hasVoted: true, votedAt });
  expect(before.getTime() - Date.parse(data.votedAt)).toBeLessThan(60_000);
  expect((await seenBy(maya, post)).viewerVote).toEqual({ hasVoted: true, votedAt: data.votedAt });
});

// docs/product.md V9
test('an author votes on a private post while in a Hub of the post, gets 403 otherwise, and canVote says so', async () => {
  const { amara, jonas, hub, other } = town;
  const post = await aHubPost(jonas, [hub, other], SLIDER);
  const canVote = async () => (await seenBy(jonas, post)).permissions.canVote;
  await expectOk(requestLeave(jonas, hub));
  expect(await canVote()).toBe(true);
  await expectOk(requestLeave(jonas, other));
  // Membership in a Hub without the post is not enough.
  const next = await aHub(jonas);
  expect(await canVote()).toBe(false);
  expect(await castVote(jonas, post)).toMatchObject(refusal(403, 'VOTE_NOT_ALLOWED'));
  await join(jonas, next, [amara]);
  await shareToHubs(amara, post, next);
  expect(await canVote()).toBe(true);
  await vote(jonas, post);
  expect(await canVote()).toBe(false);
  expect(await poolsOf(amara, post, hub, other, next)).toEqual([[], [], [0, 1, 0, 0, 0]]);
});

// docs/product.md V4, V5
describe('the scopes of a vote', () => {
  test.each([
    ['public', OPEN],
    ['private', SLIDER],
  ])(
    'a vote on a %s post counts where post and voter are and stays there when either changes',
    async (_, fields) => {
      const { amara, jonas, noor, lena, hub, other } = town;
      const [third, post] = [await aHub(amara), await aHubPost(amara, [hub, other], fields)];
      await join(amara, third, [jonas]);
      await vote(jonas, post, 'strong_left');
      await vote(noor, post, 'left');
      await vote(lena, post, 'right');
      const check = async () => {
        const pools = await poolsOf(amara, post, hub, other);
        expect(pools).toEqual([
          [1, 1, 0, 0, 0],
          [1, 0, 0, 1, 0],
        ]);
        if (fields === OPEN) expect(await countsOf(aGuest(opine), post)).toEqual([1, 1, 0, 1, 0]);
      };
      await check();
      await join(amara, hub, [lena]);
      expect(await castVote(lena, post)).toMatchObject(ALREADY_CAST);
      await expectOk(requestLeave(jonas, hub));
      await expectOk(requestRemove(amara, hub, noor));
      await expectOk(lena.delete('/users/me'));
      await waitUntilDeleted(opine, lena.id);
      await foldAllVotes(opine);
      // A share into a Hub that has the post counts nothing again.
      await shareToHubs(jonas, post, other);
      await foldAllVotes(opine);
      await check();
    },
  );

  test('a vote of a merged user does not count in the Hubs of the remaining user, who cannot vote again', async () => {
    const { amara, jonas, maya, hub } = town;
    const post = await aHubPost(amara, [hub], OPEN);
    await vote(maya, post, 'left');
    const merged = await mergeInto(opine, maya, jonas);
    await foldAllVotes(opine);
    expect(await castVote(merged, post)).toMatchObject(ALREADY_CAST);
    expect([await countsOf(merged, post), await countsOf(merged, post, hub)]).toEqual([[0, 1, 0, 0, 0], []]);
  });

  test('ten concurrent votes of one member count once in each of two Hubs', async () => {
    const { amara, jonas, hub, other } = town;
    for (const fields of [OPEN, SLIDER]) {
      const post = await aHubPost(amara, [hub, other], fields);
      const replies = await Promise.all(Array.from({ length: 10 }, () => castVote(jonas, post)));
      const refused = replies.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(9);
      for (const reply of refused) expect(reply).toMatchObject(ALREADY_CAST);
      expect(await poolsOf(amara, post, hub, other)).toEqual(Array(2).fill([0, 1, 0, 0, 0]));
      if (fields === OPEN) expect(await countsOf(amara, post)).toEqual([0, 1, 0, 0, 0]);
    }
  });
});

// docs/product.md V3
test('receipts of opposite votes differ in their voter only', async () => {
  const post = await aSlider(town.amara);
  const votes: [Person, Position][] = [
    [await registeredPerson(opine), 'strong_left'],
    [await registeredPerson(opine), 'strong_right'],
  ];
  for (const [voter, position] of votes) await castVote(voter, post, position);
  const receipts = await opine.database.superuser
    .selectFrom('app.vote_receipts')
    .selectAll()
    .where('post_id', '=', post.id)
    .execute();
  expect(receipts.map(({ user_id }) => user_id).sort()).toEqual(votes.map(([{ id }]) => id).sort());
  const [one, other] = receipts.map(({ user_id: _, ...receipt }) => receipt);
  expect({ ...one, voted_at: null }).toEqual({ ...other, voted_at: null });
});
