import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { aHub, aHubPost, aMemberOf, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  confirmedPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  signedInAfter,
} from '../support/people.ts';
import { aRepost, aSlider, aThought, type Post, requestShareToHubs, shareToHubs } from '../support/posts.ts';
import {
  castVote,
  countsOf,
  hubVotesOf,
  myVote,
  POSITIONS,
  type Position,
  summaryOf,
} from '../support/votes.ts';
import { countRows, foldAllVotes } from '../support/worker.ts';

let opine: Opine;
let maya: Person;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  maya = await confirmedPerson(opine, 'Maya');
});

/** Creates a Hub of Amara's with Jonas and Lena, and a public post of Maya's outside it. */
async function aWorld() {
  const amara = await hubReadyPerson(opine, 'Amara');
  const hub = await aHub(amara);
  const jonas = await aMemberOf(opine, amara, hub, 'Jonas');
  const lena = await aMemberOf(opine, amara, hub, 'Lena');
  return { hub, amara, jonas, lena, post: await aSlider(maya) };
}

const vote = async (voter: Person, post: Json, position?: Position) => {
  await expectOk(castVote(voter, post, position));
};

/** Counts the rows that hold waiting votes on `post`. */
async function pendingOf({ id }: Post): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from app.pending_ballots where post_id = ${id})
      + (select count(*) from app.pending_totals where post_id = ${id}))::integer as count
  `.execute(opine.database.superuser);
  return rows[0]?.count ?? Number.NaN;
}

/** Removes a closed Hub as the worker does: in batches. */
async function removeClosedHub({ id }: Hub): Promise<void> {
  const { superuser } = opine.database;
  const removeBatch = async () => {
    await sql`select app.remove_closed_hubs()`.execute(superuser);
    return countRows(opine, 'app.hubs', 'id', id);
  };
  await expect.poll(removeBatch).toBe(0);
}

const FOLDS = [
  ['unfolded', async () => {}],
  ['folded', () => foldAllVotes(opine)],
] as const;

describe.each(FOLDS)('%s waiting votes', (_, fold) => {
  test('votes of members do not show in a Hub without the post', async () => {
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

  test('a share into the Hub counts the votes at once and for good', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'strong_right');
    await vote(noor, post, 'strong_left');
    await fold();
    await shareToHubs(amara, post, hub);
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
    await foldAllVotes(opine);
    await foldAllVotes(opine);
    expect(await countsOf(amara, post, hub)).toEqual([2, 0, 0, 0, 1]);
    expect(await countsOf(amara, post)).toEqual([2, 0, 0, 0, 1]);
    expect(await pendingOf(post)).toBe(0);
  });

  test('a share keeps the position of each vote', async () => {
    const { hub, amara, ...people } = await aWorld();
    const voters = [amara, people.jonas, people.lena];
    while (voters.length < 5) voters.push(await aMemberOf(opine, amara, hub));
    for (const [index, position] of POSITIONS.entries()) {
      const post = await aSlider(maya);
      const expected = [0, 0, 0, 0, 0].with(index, index + 1);
      for (const voter of voters.slice(0, index + 1)) await vote(voter, post, position);
      await fold();
      await shareToHubs(amara, post, hub);
      expect(await countsOf(amara, post, hub)).toEqual(expected);
    }
  });

  test('a share counts votes of several hours', async () => {
    const { hub, post, ...people } = await aWorld();
    await vote(people.jonas, post, 'left');
    await fold();
    let [amara, lena] = await signedInAfter(opine, '61 minutes', people.amara, people.lena);
    await vote(lena, post, 'neutral');
    await fold();
    [amara, lena] = await signedInAfter(opine, '5 hours', amara, lena);
    await vote(amara, post, 'left');
    await fold();
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 2, 1, 0, 0]);
  });

  test('a vote counts in each Hub of its voter that the post is shared into', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const [oak, ash] = [await aHub(amara, { name: 'Oak Street' }), await aHub(amara, { name: 'Ash Street' })];
    await join(amara, oak, [jonas]);
    await join(amara, ash, [jonas, lena]);
    await vote(jonas, post, 'left');
    await vote(lena, post, 'right');
    await fold();
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
    expect(await countsOf(amara, post, oak)).toEqual([]);
    await shareToHubs(amara, post, oak, ash);
    expect(await countsOf(amara, post, oak)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(amara, post, ash)).toEqual([0, 1, 0, 1, 0]);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
    expect(await pendingOf(post)).toBe(0);
  });

  test('a share does not count a vote again in a Hub where it counted from the start', async () => {
    const { hub, amara, jonas } = await aWorld();
    const oak = await aHub(amara, { name: 'Oak Street' });
    await join(amara, oak, [jonas]);
    const post = await aHubPost(amara, [hub], { visibility: 'public_hub', sliderText: 'Is it loud?' });
    await vote(jonas, post, 'right');
    await fold();
    await shareToHubs(amara, post, oak);
    await expectOk(requestShareToHubs(amara, post, [hub]));
    await foldAllVotes(opine);
    for (const each of [hub, oak]) expect(await countsOf(jonas, post, each)).toEqual([0, 0, 0, 1, 0]);
    expect(await countsOf(jonas, post)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a share does not count votes from before their voter joined the Hub', async () => {
    const { hub, amara, jonas, post } = await aWorld();
    const noor = await hubReadyPerson(opine, 'Noor');
    await vote(noor, post, 'strong_left');
    await vote(jonas, post, 'right');
    await fold();
    await join(amara, hub, [noor]);
    await shareToHubs(noor, post, hub);
    expect(await countsOf(noor, post, hub)).toEqual([0, 0, 0, 1, 0]);
    await foldAllVotes(opine);
    expect(await countsOf(noor, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a share counts votes of members who have left, were removed or deleted their account since', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'neutral');
    await vote(noor, post, 'right');
    await fold();
    await expectOk(requestLeave(jonas, hub));
    await expectOk(requestRemove(amara, hub, lena));
    await expectOk(noor.delete('/users/me'));
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([1, 0, 1, 1, 0]);
  });

  test('closing a Hub keeps the waiting votes of other Hubs', async () => {
    const { hub, amara, jonas, post } = await aWorld();
    const ash = await aHub(jonas, { name: 'Ash Street' });
    await vote(jonas, post, 'right');
    await fold();
    await expectOk(requestLeave(jonas, ash));
    await removeClosedHub(ash);
    await foldAllVotes(opine);
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });

  test('deleting a post keeps the waiting votes of other posts', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const deleted = await aSlider(maya);
    for (const each of [deleted, post]) {
      await vote(jonas, each, 'right');
      await vote(lena, each, 'left');
    }
    await fold();
    await expectOk(maya.delete(`/posts/${deleted.id}`));
    await foldAllVotes(opine);
    expect(await requestShareToHubs(amara, deleted, [hub])).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
  });

  test('a share does not count a vote of a former member', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await expectOk(requestLeave(jonas, hub));
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'right');
    await fold();
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a vote of somebody without a Hub leaves no waiting vote', async () => {
    const { hub, amara, post } = await aWorld();
    const noor = await hubReadyPerson(opine, 'Noor');
    await vote(noor, post);
    await vote(await registeredPerson(opine), post);
    await fold();
    expect(await pendingOf(post)).toBe(0);
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([]);
    expect(await countsOf(amara, post)).toEqual([0, 2, 0, 0, 0]);
  });

  test('a vote on a locked post leaves no waiting vote', async () => {
    const { hub, amara, jonas } = await aWorld();
    const [oak, ash] = [await aHub(amara), await aHub(amara)];
    await join(amara, oak, [jonas]);
    const locked = await aHubPost(amara, [hub], { sliderText: 'Is it loud?' });
    await vote(jonas, locked, 'left');
    await fold();
    expect(await requestShareToHubs(jonas, locked, [oak])).toMatchObject(refusal(409, 'POST_NOT_SHAREABLE'));
    expect(await pendingOf(locked)).toBe(0);

    const shareable = await aHubPost(amara, [hub, ash], { sliderText: 'Is it loud?' });
    await vote(jonas, shareable, 'left');
    await fold();
    expect(await pendingOf(shareable)).toBe(1);
    await shareToHubs(jonas, shareable, oak);
    for (const each of [hub, oak]) expect(await countsOf(jonas, shareable, each)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(amara, shareable, ash)).toEqual([]);
  });

  test('a share of an original does not count votes on its repost', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const repost = await aRepost(maya, post, { sliderText: 'Is that so?' });
    await vote(jonas, post, 'left');
    await vote(jonas, repost, 'strong_right');
    await vote(lena, repost, 'neutral');
    await fold();
    await shareToHubs(amara, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
    expect(await countsOf(amara, repost, hub)).toEqual([]);
    await shareToHubs(amara, repost, hub);
    expect(await countsOf(amara, repost, hub)).toEqual([0, 0, 1, 0, 1]);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
  });

  test('a repeated share does not change the counts', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await vote(jonas, post, 'left');
    await fold();
    for (const sharer of [amara, amara, lena]) {
      await shareToHubs(sharer, post, hub);
      expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
    }
    await foldAllVotes(opine);
    await shareToHubs(lena, post, hub);
    expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 0, 0]);
  });

  test('concurrent shares into a Hub count each vote once', async () => {
    const { hub, amara, jonas, lena } = await aWorld();
    for (const _ of [1, 2, 3, 4, 5]) {
      const post = await aSlider(maya);
      await vote(jonas, post, 'left');
      await vote(lena, post, 'right');
      await fold();
      const sharers = [amara, jonas, lena, amara];
      const replies = await Promise.all(sharers.map((sharer) => requestShareToHubs(sharer, post, [hub])));
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
      await foldAllVotes(opine);
      expect(await countsOf(amara, post, hub)).toEqual([0, 1, 0, 1, 0]);
    }
  });

  test('votes after the share count beside the votes from before', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    await vote(jonas, post, 'left');
    await fold();
    await shareToHubs(amara, post, hub);
    await vote(lena, post, 'left');
    await vote(amara, post, 'neutral');
    expect(await countsOf(amara, post, hub)).toEqual([0, 2, 1, 0, 0]);
    await foldAllVotes(opine);
    expect(await countsOf(amara, post, hub)).toEqual([0, 2, 1, 0, 0]);
  });

  test('a share does not change receipts', async () => {
    const { hub, amara, jonas, post } = await aWorld();
    await vote(jonas, post);
    await fold();
    const before = await myVote(jonas, post);
    await shareToHubs(amara, post, hub);
    expect((await myVote(jonas, post)).data).toEqual(before.data);
    expect(await castVote(jonas, post, 'right')).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
  });
});

test('a share counts folded and unfolded votes', async () => {
  const { hub, amara, jonas, lena, post } = await aWorld();
  const noor = await aMemberOf(opine, amara, hub, 'Noor');
  await vote(jonas, post, 'left');
  await foldAllVotes(opine);
  await vote(lena, post, 'left');
  await foldAllVotes(opine);
  await vote(noor, post, 'strong_right');
  await shareToHubs(amara, post, hub);
  expect(await countsOf(amara, post, hub)).toEqual([0, 2, 0, 0, 1]);
});

test('a share of a post without a slider succeeds', async () => {
  const { hub, amara } = await aWorld();
  const post = await aThought(maya);
  expect((await requestShareToHubs(amara, post, [hub])).status).toBe(201);
});

describe('votes during shares', () => {
  /** Creates a Hub with five voters and two members who share into it. */
  async function aBusyHub(): Promise<{ hub: Hub; voters: Person[]; sharers: Person[] }> {
    const amara = await hubReadyPerson(opine, 'Amara');
    const hub = await aHub(amara);
    const voters: Person[] = [];
    while (voters.length < 5) voters.push(await aMemberOf(opine, amara, hub));
    return { hub, voters, sharers: [amara, await aMemberOf(opine, amara, hub)] };
  }

  test.each([
    ['without folds', false],
    ['during folds', true],
  ])('each vote counts once %s', async (_, isFolding) => {
    const { hub, voters, sharers } = await aBusyHub();
    for (let round = 0; round < 12; round += 1) {
      const post = await aSlider(maya);
      const early = round % 3;
      for (const voter of voters.slice(0, early)) await vote(voter, post, 'neutral');
      const votes = voters.slice(early).map((voter) => castVote(voter, post, 'strong_left'));
      const shares = sharers.map((sharer) => requestShareToHubs(sharer, post, [hub]));
      const folds = isFolding ? [foldAllVotes(opine), foldAllVotes(opine)] : [];
      const [replies] = await Promise.all([Promise.all([...votes, ...shares]), ...folds]);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      await foldAllVotes(opine);
      const expected = [5 - early, 0, early, 0, 0];
      expect(await countsOf(voters[0] ?? maya, post, hub)).toEqual(expected);
      expect(await countsOf(maya, post)).toEqual(expected);
      expect(await pendingOf(post)).toBe(0);
    }
  });

  test('each vote counts once in each of two Hubs', async () => {
    const { hub, voters, sharers } = await aBusyHub();
    const [amara] = sharers;
    if (amara === undefined) throw new Error('Nobody shares.');
    const oak = await aHub(amara);
    await join(amara, oak, voters);
    for (let round = 0; round < 8; round += 1) {
      const post = await aSlider(maya);
      const replies = await Promise.all([
        ...voters.map((voter) => castVote(voter, post, 'right')),
        requestShareToHubs(amara, post, [hub]),
        requestShareToHubs(amara, post, [oak, hub]),
      ]);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
      await foldAllVotes(opine);
      for (const each of [hub, oak]) expect(await countsOf(amara, post, each)).toEqual([0, 0, 0, 5, 0]);
    }
  });
});
