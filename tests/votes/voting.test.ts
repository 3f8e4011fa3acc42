import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, type Json, refusal } from '../support/client.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import {
  aGuest,
  anonymousPerson,
  confirmedPerson,
  type Person,
  registeredPerson,
} from '../support/people.ts';
import { aSlider, aThought, seenBy } from '../support/posts.ts';
import { castVote, countsOf, myVote, POSITIONS, type Position } from '../support/votes.ts';

const UNKNOWN_ID = '01990000-0000-7000-8000-000000000009';
const GLOBAL = { type: 'global', hubId: null };

let opine: Opine;
let amara: Person;

beforeAll(async () => {
  opine = await startOpine();
  amara = await confirmedPerson(opine, 'Amara');
});

afterAll(() => opine.stop());

const summaryOf = (viewer: Client, post: Json) => viewer.get(`/posts/${post.id}/vote/summary`);
const distributionOf = (viewer: Client, post: Json) => viewer.get(`/posts/${post.id}/vote/distribution`);

/** Creates a post with `counts` votes at each position. */
async function aSliderWith(counts: Record<string, number>): Promise<Json> {
  const post = await aSlider(amara);
  const votes = POSITIONS.flatMap((position) =>
    Array.from({ length: counts[position] ?? 0 }, () => position),
  );
  for (const position of votes) await castVote(await registeredPerson(opine), post, position);
  return post;
}

describe('POST /posts/{postId}/vote', () => {
  test('a registered voter without a phone gets the result', async () => {
    const post = await aSlider(amara);
    const { status, data } = await castVote(await registeredPerson(opine, 'Maya'), post, 'right');
    expect(status).toBe(201);
    expect(data).toEqual({
      postId: post.id,
      summary: { totalVotes: 1, resultsVisible: true, leftCount: 0, neutralCount: 0, rightCount: 1 },
    });
  });

  test.each(POSITIONS.map((position, index) => [position, index] as const))(
    'a vote at %s counts at that position',
    async (position, index) => {
      const post = await aSlider(amara);
      const maya = await registeredPerson(opine);
      await castVote(maya, post, position);
      expect(await countsOf(maya, post)).toEqual([0, 0, 0, 0, 0].with(index, 1));
    },
  );

  test('an author votes on their own post', async () => {
    const post = await aSlider(amara);
    expect((await castVote(amara, post)).status).toBe(201);
  });

  test('a second vote is 409 and does not change the counts', async () => {
    const post = await aSlider(amara);
    const maya = await registeredPerson(opine);
    await castVote(maya, post, 'left');
    for (const position of ['left', 'strong_right'] as const) {
      expect(await castVote(maya, post, position)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    }
    expect(await countsOf(maya, post)).toEqual([0, 1, 0, 0, 0]);
  });

  test('an idempotency key is ignored: the second vote is 409 and no key is stored', async () => {
    const post = await aSlider(amara);
    const maya = await registeredPerson(opine);
    const vote = () =>
      maya.post(`/posts/${post.id}/vote`, { position: 'left' }, { headers: { 'idempotency-key': 'vote' } });
    expect((await vote()).status).toBe(201);
    expect(await vote()).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    const keys = await opine.database.superuser
      .selectFrom('gateway.idempotent_answers')
      .selectAll()
      .where('user_id', '=', maya.id)
      .execute();
    expect(keys).toEqual([]);
  });

  test('GET /posts/{postId}/vote/me answers whether and when the caller voted, to the minute, without a position', async () => {
    const post = await aSlider(amara);
    const maya = await registeredPerson(opine);
    expect((await myVote(maya, post)).data).toEqual({ postId: post.id, hasVoted: false, votedAt: null });
    const before = await currentTime(opine);
    await castVote(maya, post, 'strong_left');
    await castVote(await registeredPerson(opine), post, 'strong_right');

    const { data } = await myVote(maya, post);
    expect(data).toEqual({
      postId: post.id,
      hasVoted: true,
      votedAt: expect.stringMatching(/:00(\.000)?Z$/),
    });
    expect(before.getTime() - Date.parse(data.votedAt)).toBeLessThan(60_000);
    const { viewerVote } = await seenBy(maya, post);
    expect(viewerVote).toEqual({ hasVoted: true, votedAt: data.votedAt });
  });
});

describe('the result of a post', () => {
  const noVotes = {
    totalVotes: 0,
    resultsVisible: false,
    leftCount: null,
    neutralCount: null,
    rightCount: null,
  };

  test('guests and users see an empty result before the first vote', async () => {
    const post = await aSlider(amara);
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), amara]) {
      const summary = await summaryOf(viewer, post);
      expect([summary.status, summary.data]).toEqual([
        200,
        { postId: post.id, scope: GLOBAL, summary: noVotes },
      ]);
      const distribution = await distributionOf(viewer, post);
      expect([distribution.status, distribution.data]).toEqual([
        200,
        { postId: post.id, scope: GLOBAL, totalVotes: 0, distribution: [] },
      ]);
    }
  });

  test('guests and users see a summary of three buckets and a distribution of five positions', async () => {
    const post = await aSliderWith({ strong_left: 2, left: 1, neutral: 1, strong_right: 3 });
    for (const viewer of [aGuest(opine), await anonymousPerson(opine), amara]) {
      expect((await summaryOf(viewer, post)).data).toEqual({
        postId: post.id,
        scope: GLOBAL,
        summary: { totalVotes: 7, resultsVisible: true, leftCount: 3, neutralCount: 1, rightCount: 3 },
      });
      expect((await distributionOf(viewer, post)).data).toEqual({
        postId: post.id,
        scope: GLOBAL,
        totalVotes: 7,
        distribution: [
          { position: 'strong_left', count: 2 },
          { position: 'left', count: 1 },
          { position: 'neutral', count: 1 },
          { position: 'right', count: 0 },
          { position: 'strong_right', count: 3 },
        ],
      });
    }
  });

  test('a card has the distribution only for a viewer who voted', async () => {
    const post = await aSliderWith({ left: 1 });
    const voter = await registeredPerson(opine);
    const summary = { totalVotes: 1, resultsVisible: true, leftCount: 1, neutralCount: 0, rightCount: 0 };
    for (const viewer of [aGuest(opine), amara, voter]) {
      const card = await seenBy(viewer, post);
      expect(card.voteSummary).toEqual(summary);
      expect(card).not.toHaveProperty('voteDistribution');
    }
    await castVote(voter, post, 'right');
    expect(await seenBy(voter, post)).toMatchObject({
      voteSummary: { totalVotes: 2, leftCount: 1, neutralCount: 0, rightCount: 1 },
      voteDistribution: POSITIONS.map((position) => ({
        position,
        count: position === 'left' || position === 'right' ? 1 : 0,
      })),
    });
    expect(await seenBy(aGuest(opine), post)).not.toHaveProperty('voteDistribution');
  });

  test('a vote on one post does not count on another', async () => {
    const [one, other] = [await aSlider(amara), await aSlider(amara)];
    const maya = await registeredPerson(opine);
    await castVote(maya, one);
    expect(await countsOf(maya, other)).toEqual([]);
    expect((await myVote(maya, other)).data.hasVoted).toBe(false);
    expect((await castVote(maya, other)).status).toBe(201);
  });
});

describe('a refused vote', () => {
  test('a guest gets 401', async () => {
    const post = await aSlider(amara);
    expect(await castVote(aGuest(opine), post)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await myVote(aGuest(opine), post)).toMatchObject(refusal(401, 'UNAUTHORIZED'));
    expect(await countsOf(amara, post)).toEqual([]);
  });

  test('an anonymous user gets 403 with the next onboarding step', async () => {
    const post = await aSlider(amara);
    const anonymous = await anonymousPerson(opine);
    const lacksProfile = refusal(403, 'FORBIDDEN', {
      requiredLevel: 2,
      level: 1,
      nextStep: 'profile_basics',
    });
    expect(await castVote(anonymous, post)).toMatchObject(lacksProfile);
    expect(await myVote(anonymous, post)).toMatchObject(lacksProfile);
    expect(await countsOf(amara, post)).toEqual([]);
  });

  test('a post without a slider is 409', async () => {
    const post = await aThought(amara);
    const notVotable = refusal(409, 'POST_NOT_VOTABLE');
    expect(await castVote(amara, post)).toMatchObject(notVotable);
    expect(await myVote(amara, post)).toMatchObject(notVotable);
    expect(await summaryOf(aGuest(opine), post)).toMatchObject(notVotable);
    expect(await distributionOf(aGuest(opine), post)).toMatchObject(notVotable);
  });

  test.each([UNKNOWN_ID, 'garlic', '%20', `${UNKNOWN_ID}0`])('the post id "%s" is 404', async (id) => {
    const notFound = refusal(404, 'POST_NOT_FOUND');
    expect(await castVote(amara, { id })).toMatchObject(notFound);
    expect(await myVote(amara, { id })).toMatchObject(notFound);
    expect(await summaryOf(aGuest(opine), { id })).toMatchObject(notFound);
    expect(await distributionOf(amara, { id })).toMatchObject(notFound);
  });

  test.each([
    ['an unknown position', { position: 'middle' }],
    ['a position in capitals', { position: 'LEFT' }],
    ['a position with a space', { position: 'left ' }],
    ['a number', { position: 1 }],
    ['two positions', { position: ['left', 'right'] }],
    ['null', { position: null }],
    ['no position', {}],
    ['an unknown field', { position: 'left', weight: 100 }],
  ])('a body with %s is 422', async (_, body) => {
    const post = await aSlider(amara);
    const reply = await amara.post(`/posts/${post.id}/vote`, body);
    expect(reply).toMatchObject(refusal(422, 'VALIDATION_FAILED'));
    expect((await myVote(amara, post)).data.hasVoted).toBe(false);
  });
});

test('receipts of opposite votes differ in their voter only', async () => {
  const post = await aSlider(amara);
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
