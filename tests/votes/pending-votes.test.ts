import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk, type Json, refusal } from '../support/client.ts';
import { aHub, aMemberOf, type Hub, join, requestLeave, requestRemove } from '../support/hubs.ts';
import { currentTime, type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, signedInAfter } from '../support/people.ts';
import { aSlider, type Post, requestShareToHubs, shareToHubs } from '../support/posts.ts';
import {
  castVote,
  countsOf,
  hubVotesOf,
  myVote,
  POSITIONS,
  type Position,
  summaryOf,
} from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

const HOUR = 3_600_000;

/** Hours from the hour of a vote to its deadline (docs/product.md V7). */
const KEPT = 337;

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

describe.each([
  ['unfolded', async () => {}],
  ['folded', () => foldAllVotes(opine)],
] as const)('%s waiting votes', (_, fold) => {
  // docs/product.md V6, V7
  test('a share into the Hub counts the votes at once and for good, and no vote shows before', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const noor = await aMemberOf(opine, amara, hub, 'Noor');
    await vote(jonas, post, 'strong_left');
    await vote(lena, post, 'strong_right');
    await vote(noor, post, 'strong_left');
    await fold();
    const counts = [2, 0, 0, 0, 1];
    for (const viewer of [amara, jonas]) {
      expect(await countsOf(viewer, post, hub)).toEqual([]);
      const { summary } = (await summaryOf(viewer, post, hub)).data;
      expect(summary).toMatchObject({ totalVotes: 0, resultsVisible: false });
      expect((await hubVotesOf(viewer, post)).data.items).toEqual([]);
      expect(await countsOf(viewer, post)).toEqual(counts);
    }
    const before = (await myVote(jonas, post)).data;
    await shareToHubs(amara, post, hub);
    const summary = { totalVotes: 3, resultsVisible: true, leftCount: 2, neutralCount: 0, rightCount: 1 };
    const distribution = POSITIONS.map((position, index) => ({ position, count: counts[index] }));
    for (const viewer of [amara, jonas]) {
      expect(await countsOf(viewer, post, hub)).toEqual(counts);
      expect((await hubVotesOf(viewer, post)).data.items).toEqual([
        { hub: { id: hub.id, name: hub.name }, summary, distribution },
      ]);
    }
    await foldAllVotes(opine);
    await foldAllVotes(opine);
    expect(await countsOf(amara, post, hub)).toEqual(counts);
    expect(await countsOf(amara, post)).toEqual(counts);
    expect(await pendingOf(post)).toBe(0);
    expect((await myVote(jonas, post)).data).toEqual(before);
    expect(await castVote(jonas, post, 'right')).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
  });

  // docs/product.md V5, V7
  test('a share does not count votes from before their voter joined the Hub or after they left it', async () => {
    const { hub, amara, jonas, lena, post } = await aWorld();
    const noor = await hubReadyPerson(opine, 'Noor');
    await expectOk(requestLeave(lena, hub));
    await vote(noor, post, 'strong_left');
    await vote(lena, post, 'left');
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

  // docs/product.md V7
  test.each([
    ['at the beginning of an hour', 1],
    ['at the end of an hour', 57],
  ])('a vote %s counts in shares for 337 hours, and its voter never votes again', async (_, minute) => {
    const { hub, post, ...people } = await aWorld();
    const oak = await aHub(people.amara, { name: 'Oak Street' });
    await join(people.amara, oak, [people.jonas]);
    const start = Math.ceil((await currentTime(opine)).getTime() / HOUR) * HOUR;
    let { amara, jonas } = people;
    /** Moves the clock to `hours` and `minutes` after the next full hour. */
    const moveTo = async (hours: number, minutes: number) => {
      const milliseconds = start + hours * HOUR + minutes * 60_000 - (await currentTime(opine)).getTime();
      [amara, jonas] = await signedInAfter(opine, `${milliseconds} milliseconds`, amara, jonas);
    };
    const prune = () => sql`select app.prune_pending_totals()`.execute(opine.database.superuser);
    await moveTo(0, minute);
    await vote(jonas, post, 'left');
    await fold();
    const before = (await myVote(jonas, post)).data;
    await moveTo(KEPT, -2);
    await prune();
    await shareToHubs(amara, post, hub);
    expect(await countsOf(jonas, post, hub)).toEqual([0, 1, 0, 0, 0]);
    expect(await pendingOf(post)).toBe(1);

    await moveTo(KEPT, 1);
    await shareToHubs(amara, post, oak);
    await prune();
    await foldAllVotes(opine);
    expect(await pendingOf(post)).toBe(0);
    expect(await countsOf(jonas, post, oak)).toEqual([]);
    for (const scope of [hub, undefined]) expect(await countsOf(jonas, post, scope)).toEqual([0, 1, 0, 0, 0]);
    expect((await myVote(jonas, post)).data).toEqual(before);
    expect(await castVote(jonas, post, 'right')).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
    await vote(amara, post, 'right');
    expect(await countsOf(amara, post, oak)).toEqual([0, 0, 0, 1, 0]);
  });
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
