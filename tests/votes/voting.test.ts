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
import { aSlider, seenBy } from '../support/posts.ts';
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
