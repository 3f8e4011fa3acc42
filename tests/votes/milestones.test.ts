import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAudience, anAudienceIn, audienceVotes, type Voter } from '../support/audience.ts';
import type { Json } from '../support/client.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aRepost, place } from '../support/frames.ts';
import { granted, mergeInto, type Somebody } from '../support/graph.ts';
import { aHub, aHubPost } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, summaryOf } from '../support/votes.ts';

/** That `recipient` hears of `count` votes, when there are `total` of them. */
interface Milestone {
  readonly recipient: string;
  readonly total: number;
  readonly count: number;
}

let opine: Opine;
let maya: Person;

/** Many who vote: enough for every test, as each votes on a post once. */
let audience: Voter[];

beforeAll(async () => {
  opine = await startOpine();
  audience = await anAudience(opine, 1200);
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await aConfirmed(opine, 'Maya');
});

/** Those of `post`, by total, and by recipient where several have the same. */
async function milestonesOf({ id }: Json): Promise<Milestone[]> {
  const { rows } = await sql<Milestone>`
    select subject_id::text as recipient, milestone_total as total, milestone_count as count
    from app.events where type = 'post_vote_milestone' and post_id = ${id}
    order by milestone_total, milestone_count, subject_id`.execute(opine.database.superuser);
  return rows;
}

/** What of it is for `recipient`: totals and counts. */
async function heardBy({ id }: Somebody, post: Json): Promise<number[][]> {
  const milestones = await milestonesOf(post);
  return milestones.filter(({ recipient }) => recipient === id).map(({ total, count }) => [total, count]);
}

const toMaya = (total: number): Milestone => ({ recipient: maya.id, total, count: total });

/** The next `count` of the audience, from `first` on, vote; one after the other unless said. */
const votesCome = (post: Json, first: number, count: number, atOnce?: number) =>
  audienceVotes(opine, audience.slice(first, first + count), post, atOnce);

describe('whose post it is', () => {
  test('hears of each hundred votes, and of none between', async () => {
    const post = await aSlider(maya);
    const seen: Milestone[][] = [];
    let votes = 0;
    for (const next of [99, 1, 1, 98, 1, 50]) {
      await votesCome(post, votes, next);
      votes += next;
      await votesAreFolded(opine);
      seen.push(await milestonesOf(post));
    }
    const [first, second] = [[toMaya(100)], [toMaya(100), toMaya(200)]];
    expect(seen).toEqual([[], first, first, first, second, second]);
  });

  test('hears of each of several hundreds that came between two folds', async () => {
    const post = await aSlider(maya);
    await votesCome(post, 0, 250, 8);
    await votesAreFolded(opine);
    expect(await milestonesOf(post)).toEqual([toMaya(100), toMaya(200)]);
    await votesCome(post, 250, 160, 8);
    await votesAreFolded(opine);
    expect(await milestonesOf(post)).toEqual([100, 200, 300, 400].map(toMaya));
  });

  test('hears of votes of everybody once, however many Hubs they counted in', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const [hub, oak] = [await aHub(amara), await aHub(amara)];
    const members = await anAudienceIn(opine, hub, 60);
    const post = await aHubPost(amara, [hub], { visibility: 'public_hub', sliderText: 'Is it loud?' });
    await audienceVotes(opine, members, post, 4);
    await votesAreFolded(opine);
    await place(amara, post, oak);
    await votesCome(post, 0, 39);
    await votesAreFolded(opine);
    expect(await milestonesOf(post)).toEqual([]);
    await votesCome(post, 39, 1);
    await votesAreFolded(opine);
    expect(await milestonesOf(post)).toEqual([{ recipient: amara.id, total: 100, count: 100 }]);
  });

  test('hears of those that a Hub is shown later only once', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const hub = await aHub(amara);
    const members = await anAudienceIn(opine, hub, 60);
    const post = await aSlider(maya);
    await audienceVotes(opine, members, post, 4);
    await place(amara, post, hub);
    await votesAreFolded(opine);
    expect((await summaryOf(amara, post, hub)).data.summary.totalVotes).toBe(60);
    expect(await milestonesOf(post)).toEqual([]);
    await votesCome(post, 0, 40);
    await votesAreFolded(opine);
    expect(await milestonesOf(post)).toEqual([toMaya(100)]);
  });

  test('hears of an original and of its repost each by itself', async () => {
    const jonas = await aConfirmed(opine, 'Jonas');
    const post = await aSlider(maya);
    const repost = await aRepost(jonas, post, { sliderText: 'Is that so?' });
    await votesCome(post, 0, 60);
    await votesCome(repost, 0, 100);
    await votesAreFolded(opine);
    expect(await milestonesOf(post)).toEqual([]);
    expect(await milestonesOf(repost)).toEqual([{ recipient: jonas.id, total: 100, count: 100 }]);
  });

  test('hears nothing of a post that is private', async () => {
    const amara = await aHubReady(opine, 'Amara');
    const [hub, oak] = [await aHub(amara), await aHub(amara)];
    const members = await anAudienceIn(opine, hub, 101);
    const [locked, shareable] = [
      await aHubPost(amara, [hub], { sliderText: 'Is it loud?' }),
      await aHubPost(amara, [hub, oak], { sliderText: 'Is it loud?' }),
    ];
    for (const post of [locked, shareable]) {
      await audienceVotes(opine, members, post, 8);
      await votesAreFolded(opine);
      expect((await summaryOf(amara, post, hub)).data.summary.totalVotes).toBe(101);
      expect(await milestonesOf(post)).toEqual([]);
    }
  });

  test('hears nothing once their account has ended', async () => {
    const post = await aSlider(maya);
    await votesCome(post, 0, 99);
    await votesAreFolded(opine);
    await votesCome(post, 99, 1);
    await granted(maya.delete('/users/me'));
    await votesAreFolded(opine);
    const { rows } = await sql`
      select from app.events where type = 'post_vote_milestone' and subject_id = ${maya.id}
    `.execute(opine.database.superuser);
    expect(rows).toEqual([]);
  });
});

describe('who has voted', () => {
  test('hears of each five hundred votes since their own, however many folds there were', async () => {
    const post = await aSlider(maya);
    const jonas = await aRegistered(opine, 'Jonas');
    await votesCome(post, 0, 1);
    await granted(castVote(jonas, post));
    await votesCome(post, 1, 100);
    let others = 101;
    for (const next of [100, 298, 1, 1, 400, 201]) {
      await votesAreFolded(opine);
      await votesCome(post, others, next, 8);
      others += next;
      // Jonas hears nothing of 499 votes since his own.
      if (others === 500) expect(await heardBy(jonas, post)).toEqual([]);
    }
    await votesAreFolded(opine);

    const milestones = await milestonesOf(post);
    const early = [audience[0]?.id, jonas.id, ...audience.slice(1, 101).map(({ id }) => id)];
    for (const [index, id] of early.entries()) {
      const heard = milestones.filter(({ recipient }) => recipient === id);
      expect(heard.map(({ total, count }) => [total, count])).toEqual([
        [index + 501, 500],
        [index + 1001, 1000],
      ]);
    }
    const ofVoters = milestones.filter(({ recipient }) => recipient !== maya.id);
    const upTo1103 = (first: number, count: number) =>
      Array.from({ length: 1104 - first }, (_, index) => `${first + index} ${count}`);
    expect(ofVoters.map(({ total, count }) => `${total} ${count}`).sort()).toEqual(
      [...upTo1103(501, 500), ...upTo1103(1001, 1000)].sort(),
    );
    expect(new Set(ofVoters.map(({ recipient, count }) => `${recipient} ${count}`)).size).toBe(
      ofVoters.length,
    );
    expect(await heardBy(maya, post)).toEqual(
      Array.from({ length: 11 }, (_, index) => [100 * (index + 1), 100 * (index + 1)]),
    );
  });

  test('at the same moment as others hears of it once, and so does each of them', async () => {
    const post = await aSlider(maya);
    await votesCome(post, 0, 100, 10);
    await sql`update app.fresh_votes set cast_at = date_trunc('hour', cast_at) where post_id = ${post.id}`.execute(
      opine.database.superuser,
    );
    await votesAreFolded(opine);
    await votesCome(post, 100, 499, 10);
    await votesAreFolded(opine);
    const early = audience.slice(0, 100).map(({ id }) => id);
    const ofVoters = async () => (await milestonesOf(post)).filter(({ recipient }) => recipient !== maya.id);
    const heard = await ofVoters();
    expect(heard.every(({ recipient }) => early.includes(recipient))).toBe(true);
    await votesCome(post, 599, 1);
    await votesAreFolded(opine);
    const all = await ofVoters();
    expect(all.slice(0, heard.length)).toEqual(heard);
    expect(all.map(({ recipient }) => recipient).sort()).toEqual(early.sort());
    expect(all.map(({ total }) => total)).toEqual(Array.from({ length: 100 }, (_, index) => 501 + index));
    expect(new Set(all.map(({ count }) => count))).toEqual(new Set([500]));
  });

  test('hears of it once where several workers fold at once', async () => {
    const post = await aSlider(maya);
    await votesCome(post, 0, 310, 8);
    await Promise.all([votesAreFolded(opine), votesAreFolded(opine), votesAreFolded(opine)]);
    await Promise.all([votesCome(post, 310, 300, 8), votesAreFolded(opine), votesAreFolded(opine)]);
    await Promise.all([votesAreFolded(opine), votesAreFolded(opine), votesAreFolded(opine)]);
    await votesAreFolded(opine);
    const milestones = await milestonesOf(post);
    const ofMaya = milestones.filter(({ recipient }) => recipient === maya.id);
    expect(ofMaya).toEqual([100, 200, 300, 400, 500, 600].map(toMaya));
    const ofVoters = milestones.filter(({ recipient }) => recipient !== maya.id);
    expect(new Set(ofVoters.map(({ recipient }) => recipient)).size).toBe(110);
    expect(ofVoters.map(({ total }) => total)).toEqual(
      Array.from({ length: 110 }, (_, index) => 501 + index),
    );
  });

  test('on their own post gets the milestones of an author and those of a voter, each once', async () => {
    const post = await aSlider(maya);
    await votesCome(post, 0, 99);
    await granted(castVote(maya, post));
    await votesCome(post, 99, 500, 8);
    await votesAreFolded(opine);
    await votesAreFolded(opine);
    expect(await heardBy(maya, post)).toEqual([
      ...[100, 200, 300, 400, 500].map((total) => [total, total]),
      [600, 500],
      [600, 600],
    ]);
  });

  test('and has ended their account hears nothing; the others hear what they would have', async () => {
    const post = await aSlider(maya);
    const [jonas, lena] = [await aRegistered(opine, 'Jonas'), await aRegistered(opine, 'Lena')];
    const noor = await aRegistered(opine, 'Noor');
    for (const voter of [jonas, lena, noor]) await granted(castVote(voter, post));
    await granted(jonas.delete('/users/me'));
    await votesAreFolded(opine);
    await granted(lena.delete('/users/me'));
    await votesCome(post, 0, 500, 8);
    await votesAreFolded(opine);
    expect(await heardBy(jonas, post)).toEqual([]);
    expect(await heardBy(lena, post)).toEqual([]);
    expect(await heardBy(noor, post)).toEqual([[503, 500]]);
  });
});

describe.each([
  ['before their votes are folded', async () => {}],
  ['after it', () => votesAreFolded(opine)],
])('whoever becomes part of another user %s', (_, fold) => {
  test('leaves the milestones of their votes to them, each once', async () => {
    const [both, theirs] = [await aSlider(maya), await aSlider(maya)];
    const [jonas, known] = [await aRegistered(opine, 'Jonas'), await aConfirmed(opine, 'Known')];
    await granted(castVote(jonas, both));
    await granted(castVote(known, both));
    await granted(castVote(jonas, theirs));
    await fold();
    await mergeInto(opine, jonas, known);
    await votesCome(both, 0, 500, 8);
    await votesCome(theirs, 0, 500, 8);
    await votesAreFolded(opine);
    expect(await heardBy(known, both)).toEqual([[502, 500]]);
    expect(await heardBy(known, theirs)).toEqual([[501, 500]]);
    for (const post of [both, theirs]) expect(await heardBy(jonas, post)).toEqual([]);
  });
});

test('a voter who becomes part of the author leaves them both milestones of a total', async () => {
  const [post, jonas] = [await aSlider(maya), await aRegistered(opine, 'Jonas')];
  await votesCome(post, 0, 99);
  await granted(castVote(jonas, post));
  await votesCome(post, 99, 500, 8);
  await votesAreFolded(opine);
  expect(await heardBy(jonas, post)).toEqual([[600, 500]]);
  await mergeInto(opine, jonas, maya);
  expect(await heardBy(maya, post)).toEqual([
    ...[100, 200, 300, 400, 500].map((total) => [total, total]),
    [600, 500],
    [600, 600],
  ]);
});

test('a milestone names its post, who hears of it and how many there are, and nobody and nothing else', async () => {
  const post = await aSlider(maya);
  await votesCome(post, 0, 100, 8);
  await votesAreFolded(opine);
  const { rows } = await sql<{ event: Json }>`
    select jsonb_strip_nulls(to_jsonb(e)) as event from app.events as e
    where post_id = ${post.id} and type <> 'followed_user_posted'
  `.execute(opine.database.superuser);
  expect(rows.map(({ event }) => event)).toEqual([
    {
      id: expect.any(String),
      type: 'post_vote_milestone',
      subject_id: maya.id,
      post_id: post.id,
      milestone_total: 100,
      milestone_count: 100,
      occurred_at: expect.any(String),
    },
  ]);
});
