import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countIn } from '../support/account-deletions.ts';
import { type Json, refusal } from '../support/client.ts';
import { votesAreFolded } from '../support/fold.ts';
import { aRepost, type Post, place, requestPlace } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { later } from '../support/hub-worlds.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { aSlider, aThought } from '../support/posts.ts';
import {
  castVote,
  countsOf,
  hubVotesOf,
  myVote,
  POSITIONS,
  type Position,
  summaryOf,
} from '../support/votes.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await aConfirmed(opine, 'Maya');
});

/** A Hub of Amara's with Jonas and Lena, and a public post of Maya's that is not in it. */
async function aWorld() {
  const amara = await aHubReady(opine, 'Amara');
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  const lena = await aMemberOf(opine, amara, hub, 'Lena');
  return { hub, amara, jonas, lena, post: await aSlider(maya) };
}

const vote = async (voter: Person, post: Json, position?: Position) => {
  await granted(castVote(voter, post, position));
};

/** How many rows hold votes on `post` that no Hub has been shown. */
async function pendingOf({ id }: Post): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from app.pending_ballots where post_id = ${id})
      + (select count(*) from app.pending_totals where post_id = ${id}))::integer as count
  `.execute(opine.database.superuser);
  return rows[0]?.count ?? Number.NaN;
}

/** The worker removes a Hub that closed, part by part. */
async function closedHubIsRemoved({ id }: Hub): Promise<void> {
  const { superuser } = opine.database;
  const removal = async () => {
    await sql`select app.remove_closed_hubs()`.execute(superuser);
    return countIn(opine, 'app.hubs', 'id', id);
  };
  await expect.poll(removal).toBe(0);
}

const AT_WHICH_TIME = [
  ['before a fold', async () => {}],
  ['after a fold', () => votesAreFolded(opine)],
] as const;

describe.each(AT_WHICH_TIME)('%s', (_, fold) => {
  test('what members voted is not shown in their Hub', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await vote(jonas, post, 'left');
    await vote(lena, post, 'right');
    await fold();
    for (const viewer of [amara, jonas]) {
      expect(await countsOf(viewer, post, hub)).toEqual([]);
      expect((await summaryOf(viewer, post, hub)).data.summary).toMatchObject({
        totalVotes: 0,
        resultsVisible: false,
      });
      expect((await hubVotesOf(viewer, post)).data.items).toEqual([]);
      expect(await countsOf(viewer, post)).toEqual([0, 1, 0, 1, 0]);
    }
  });

  test('sharing the post shows it at once, and for good', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'strong_right');
    await vote(noor, post, 'strong_left');
    await fold();
    await place(amara, post, hub);
    const summary = { totalVotes: 3, resultsVisible: true, leftCount: 2, neutralCount: 0, rightCount: 1 };
    for (const viewer of [amara, jonas]) {
      expect(await countsOf(viewer, post, hub)).toEqual([2, 0, 0, 0, 1]);
      expect((await hubVotesOf(viewer, post)).data.items).toEqual([
        {
          hub: { id: hub.id, name: hub.name },
          summary,
          distribution: POSITIONS.map((position, index) => ({ position, count: [2, 0, 0, 0, 1][index] })),
        },
      ]);
    }
    await votesAreFolded(opine);
    await votesAreFolded(opine);
    expect(await countsOf(amara, post, hub)).toEqual([2, 0, 0, 0, 1]);
    expect(await countsOf(amara, post)).toEqual([2, 0, 0, 0, 1]);
    expect(await pendingOf(post)).toBe(0);
  });

  test('a vote at each position is shown where it was', async () => {
    const { hub, amara, ...people } = await aWorld();
    const voters = [amara, people.jonas, people.lena];
    while (voters.length < 5) voters.push(await aMemberOf(opine, amara, hub));
    for (const [index, position] of POSITIONS.entries()) {
      const post = await aSlider(maya);
      const expected = [0, 0, 0, 0, 0].with(index, index + 1);
      for (const voter of voters.slice(0, index + 1)) await vote(voter, post, position);
      await fold();
      await place(amara, post, hub);
      expect(await countsOf(amara, post, hub)).toEqual(expected);
    }
  });

  test('what was voted in several hours is shown together', async () => {
    const { hub, post, ...people } = await aWorld();
    await vote(people.jonas, post, 'left');
    await fold();
    let [amara, lena] = await later(opine, '61 minutes', people.amara, people.lena);
    await vote(lena, post, 'neutral');
    await fold();
    [amara, lena] = await later(opine, '5 hours', amara, lena);
    await vote(amara, post, 'left');
    await fold();
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 2, 1, 0, 0]);
  });

  test('whoever is in several Hubs is shown in each that it is shared into', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const [oak, ash] = [await aHub(amara, { name: 'Oak Street' }), await aHub(amara, { name: 'Ash Street' })];
    await join(amara, oak, [jonas]);
    await join(amara, ash, [jonas, lena]);
    await vote(jonas, post, 'left');
    await vote(lena, post, 'right');
    await fold();
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
    expect(await countsOf(amara, post, oak)).toEqual([]);
    await place(amara, post, oak, ash);
    expect(await countsOf(amara, post, oak)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(amara, post, ash)).toEqual([0, 1, 0, 1, 0]);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
    expect(await pendingOf(post)).toBe(0);
  });

  test('a Hub in which it counted from the beginning does not count it again', async () => {
    const { hub, amara, jonas } = await aWorld();
    const oak = await aHub(amara, { name: 'Oak Street' });
    await join(amara, oak, [jonas]);
    const post = await aHubPost(amara, [hub], { visibility: 'public_hub', sliderText: 'Is it loud?' });
    await vote(jonas, post, 'right');
    await fold();
    await place(amara, post, oak);
    await granted(requestPlace(amara, post, [hub]));
    await votesAreFolded(opine);
    for (const each of [hub, oak]) expect(await countsOf(jonas, post, each)).toEqual([0, 0, 0, 1, 0]);
    expect(await countsOf(jonas, post)).toEqual([0, 0, 0, 1, 0]);
  });

  test('who joins after their vote is not counted', async () => {
    const { hub, amara, jonas, post } = await aWorld();
    const noor = await aHubReady(opine, 'Noor');
    await vote(noor, post, 'strong_left');
    await vote(jonas, post, 'right');
    await fold();
    await join(amara, hub, [noor]);
    await place(noor, post, hub);
    expect(await countsOf(noor, post, hub)).toEqual([0, 0, 0, 1, 0]);
    await votesAreFolded(opine);
    expect(await countsOf(noor, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });

  test('who left, was removed or ended their account since their vote is counted', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'right');
    await fold();
    await granted(requestLeave(jonas, hub));
    await granted(requestRemove(amara, hub, lena));
    await granted(noor.delete('/users/me'));
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([1, 0, 1, 1, 0]);
  });

  test('a Hub that has closed since takes nothing of the others with it', async () => {
    const { hub, amara, jonas, post } = await aWorld();
    const ash = await aHub(jonas, { name: 'Ash Street' });
    await vote(jonas, post, 'right');
    await fold();
    await granted(requestLeave(jonas, ash));
    await closedHubIsRemoved(ash);
    await votesAreFolded(opine);
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a post that is deleted since takes nothing of the others with it', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const gone = await aSlider(maya);
    for (const each of [gone, post]) {
      await vote(jonas, each, 'right');
      await vote(lena, each, 'left');
    }
    await fold();
    await granted(maya.delete(`/posts/${gone.id}`));
    await votesAreFolded(opine);
    expect(await requestPlace(amara, gone, [hub])).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
  });

  test('who was no member any more when they voted is not counted', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await granted(requestLeave(jonas, hub));
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'right');
    await fold();
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a vote of somebody who is in no Hub is in none', async () => {
    const { hub, amara, post } = await aWorld();
    const noor = await aHubReady(opine, 'Noor');
    await vote(noor, post);
    await vote(await aRegistered(opine), post);
    await fold();
    expect(await pendingOf(post)).toBe(0);
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([]);
    expect(await countsOf(amara, post)).toEqual([0, 2, 0, 0, 0]);
  });

  test('of a post that cannot be shared nothing is kept', async () => {
    const { hub, amara, jonas } = await aWorld();
    const [oak, ash] = [await aHub(amara), await aHub(amara)];
    await join(amara, oak, [jonas]);
    const locked = await aHubPost(amara, [hub], { sliderText: 'Is it loud?' });
    await vote(jonas, locked, 'left');
    await fold();
    expect(await requestPlace(jonas, locked, [oak])).toMatchObject(refusal(409, 'POST_NOT_SHAREABLE'));
    expect(await pendingOf(locked)).toBe(0);

    const shareable = await aHubPost(amara, [hub, ash], { sliderText: 'Is it loud?' });
    await vote(jonas, shareable, 'left');
    await fold();
    expect(await pendingOf(shareable)).toBe(1);
    await place(jonas, shareable, oak);
    for (const each of [hub, oak]) expect(await countsOf(jonas, shareable, each)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(amara, shareable, ash)).toEqual([]);
  });

  test('an original and its repost are each counted by themselves', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const repost = await aRepost(maya, post, { sliderText: 'Is that so?' });
    await vote(jonas, post, 'left');
    await vote(jonas, repost, 'strong_right');
    await vote(lena, repost, 'neutral');
    await fold();
    await place(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(amara, repost, hub)).toEqual([]);
    await place(amara, repost, hub);
    expect(await countsOf(amara, repost, hub)).toEqual([0, 0, 1, 0, 1]);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
  });

  test('sharing it again changes nothing', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await vote(jonas, post, 'left');
    await fold();
    for (const sharer of [amara, amara, lena]) {
      await place(sharer, post, hub);
      expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
    }
    await votesAreFolded(opine);
    await place(lena, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
  });

  test('members who share it at once show it once', async () => {
    const { hub, amara, jonas, lena } = await aWorld();
    for (const _ of [1, 2, 3, 4, 5]) {
      const post = await aSlider(maya);
      await vote(jonas, post, 'left');
      await vote(lena, post, 'right');
      await fold();
      const sharers = [amara, jonas, lena, amara];
      const replies = await Promise.all(sharers.map((sharer) => requestPlace(sharer, post, [hub])));
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
      await votesAreFolded(opine);
      expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
    }
  });

  test('who votes once it is shared is counted beside them', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await vote(jonas, post, 'left');
    await fold();
    await place(amara, post, hub);
    await vote(lena, post, 'left');
    await vote(amara, post, 'neutral');
    expect(await countsOf(amara, post, hub)).toEqual([0, 2, 1, 0, 0]);
    await votesAreFolded(opine);
    expect(await countsOf(amara, post, hub)).toEqual([0, 2, 1, 0, 0]);
  });

  test('the receipts of what was shown late are as they were', async () => {
    const { hub, amara, jonas, post } = await aWorld();
    await vote(jonas, post);
    await fold();
    const before = await myVote(jonas, post);
    await place(amara, post, hub);
    expect((await myVote(jonas, post)).data).toEqual(before.data);
    expect(await castVote(jonas, post, 'right')).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
  });
});

test('what was folded and what was not is shown together', async () => {
  const { hub, amara, jonas, lena, post } = await aWorld();
  const noor = await aMemberOf(opine, amara, hub, 'Noor');
  await vote(jonas, post, 'left');
  await votesAreFolded(opine);
  await vote(lena, post, 'left');
  await votesAreFolded(opine);
  await vote(noor, post, 'strong_right');
  await place(amara, post, hub);
  expect(await countsOf(amara, post, hub)).toEqual([0, 2, 0, 0, 1]);
});

test('a post without a slider is shared as ever', async () => {
  const { hub, amara } = await aWorld();
  const post = await aThought(maya);
  expect((await requestPlace(amara, post, [hub])).status).toBe(201);
});

describe('who votes while it is shared', () => {
  /** Five members who vote, and two who share into their Hub. */
  async function aBusyHub(): Promise<{ hub: Hub; voters: Person[]; sharers: Person[] }> {
    const amara = await aHubReady(opine, 'Amara');
    const hub = await aHub(amara);
    const voters: Person[] = [];
    while (voters.length < 5) voters.push(await aMemberOf(opine, amara, hub));
    return { hub, voters, sharers: [amara, await aMemberOf(opine, amara, hub)] };
  }

  test.each([
    ['is counted once', false],
    ['is counted once while votes are folded', true],
  ])('%s', async (_, isFolding) => {
    const { hub, voters, sharers } = await aBusyHub();
    for (let round = 0; round < 12; round += 1) {
      const post = await aSlider(maya);
      const early = round % 3;
      for (const voter of voters.slice(0, early)) await vote(voter, post, 'neutral');
      const votes = voters.slice(early).map((voter) => castVote(voter, post, 'strong_left'));
      const shares = sharers.map((sharer) => requestPlace(sharer, post, [hub]));
      const folds = isFolding ? [votesAreFolded(opine), votesAreFolded(opine)] : [];
      const [replies] = await Promise.all([Promise.all([...votes, ...shares]), ...folds]);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      await votesAreFolded(opine);
      const expected = [5 - early, 0, early, 0, 0];
      expect(await countsOf(voters[0] ?? maya, post, hub)).toEqual(expected);
      expect(await countsOf(maya, post)).toEqual(expected);
      expect(await pendingOf(post)).toBe(0);
    }
  });

  test('in two Hubs is counted in each once', async () => {
    const { hub, voters, sharers } = await aBusyHub();
    const [amara] = sharers;
    if (amara === undefined) throw new Error('Nobody shares.');
    const oak = await aHub(amara);
    await join(amara, oak, voters);
    for (let round = 0; round < 8; round += 1) {
      const post = await aSlider(maya);
      const replies = await Promise.all([
        ...voters.map((voter) => castVote(voter, post, 'right')),
        requestPlace(amara, post, [hub]),
        requestPlace(amara, post, [oak, hub]),
      ]);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      await votesAreFolded(opine);
      for (const each of [hub, oak]) expect(await countsOf(amara, post, each)).toEqual([0, 0, 0, 5, 0]);
    }
  });
});
