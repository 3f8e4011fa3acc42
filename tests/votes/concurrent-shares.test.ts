import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '../../src/db/types.ts';
import type { Json, Reply } from '../support/client.ts';
import { requestPlace } from '../support/frames.ts';
import { granted, waiting } from '../support/graph.ts';
import { aHub, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aHubReady, type Person } from '../support/people.ts';
import { aSlider, seenBy } from '../support/posts.ts';
import { castVote, summaryOf } from '../support/votes.ts';

const VOTERS = 20;

let opine: Opine;
let author: Person;
let sharer: Person;
let voters: Person[];
let hub: Hub;

beforeAll(async () => {
  // Without a worker nothing is folded: only the vote or the share can count a vote in the Hub.
  opine = await startOpine({ PROCESS: 'api' });
  author = await aConfirmed(opine);
  sharer = await aHubReady(opine);
  hub = await aHub(sharer);
  voters = await Promise.all(Array.from({ length: VOTERS }, () => aMemberOf(opine, sharer, hub)));
});

afterAll(() => opine.stop());

const share = (post: Json) => requestPlace(sharer, post, [hub]);

/** How many votes the Hub's members see on `post` in their Hub. */
const votesInHub = async (post: Json): Promise<number> =>
  (await granted(summaryOf(sharer, post, hub))).summary.totalVotes;

/** Runs `act`, and `meanwhile` as soon as `act` waits for what `hold` locks, then lets go of the lock. */
async function whileLocked(
  hold: (holder: Transaction<DB>) => Promise<unknown>,
  act: () => Promise<Reply>,
  meanwhile: () => Promise<unknown>,
): Promise<Reply> {
  const acting: Promise<Reply>[] = [];
  await opine.database.superuser.transaction().execute(async (holder) => {
    await hold(holder);
    acting.push(act());
    await expect.poll(() => waiting(opine)).toBe(1);
    await meanwhile();
  });
  const [reply] = await Promise.all(acting);
  if (reply === undefined) throw new Error('Nothing was requested.');
  return reply;
}

test('a vote that began before a share and commits after it counts in the Hub', async () => {
  const [voter] = voters as [Person];
  const post = await aSlider(author);
  const voted = await whileLocked(
    (holder) => sql`select from app.users where id = ${voter.id} for update`.execute(holder),
    () => castVote(voter, post),
    () => granted(share(post)),
  );
  expect(voted.status).toBe(201);
  expect(await votesInHub(post)).toBe(1);
  expect(await seenBy(voter, post)).toMatchObject({ viewerVote: { hasVoted: true } });
});

test('a vote that commits while a share is under way counts in the Hub', async () => {
  const [voter] = voters as [Person];
  const post = await aSlider(author);
  const voting: Promise<Reply>[] = [];
  const shared = await whileLocked(
    (holder) => sql`select from app.hubs where id = ${hub.id} for no key update`.execute(holder),
    () => share(post),
    async () => {
      voting.push(castVote(voter, post));
      await expect.poll(() => waiting(opine)).toBe(2);
    },
  );
  const [voted] = await Promise.all(voting);
  expect([voted?.status, shared.status]).toEqual([201, 201]);
  expect(await votesInHub(post)).toBe(1);
});

test('votes and shares sent at the same instant are all counted in the Hub once all are answered', async () => {
  for (let round = 0; round < 10; round += 1) {
    const post = await aSlider(author);
    const votes = voters.map((voter) => () => castVote(voter, post));
    const half = VOTERS / 2;
    const acts = [...votes.slice(0, half), () => share(post), ...votes.slice(half)];
    const replies = await Promise.all(acts.map((act) => act()));
    expect(replies.map(({ status }) => status)).toEqual(acts.map(() => 201));
    expect(await votesInHub(post)).toBe(VOTERS);
  }
});

test('a share counts every vote that waits, however many there are', async () => {
  const [voter] = voters as [Person];
  const post = await aSlider(author);
  await granted(castVote(voter, post));
  const { superuser } = opine.database;
  await sql`
    insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
    select b.post_id, b.cast_hour, b.key_id, b.sealed
    from app.pending_ballots as b
    cross join generate_series(1, 1999)
    where b.post_id = ${post.id}
  `.execute(superuser);
  await granted(share(post));
  expect(await votesInHub(post)).toBe(2000);
});
