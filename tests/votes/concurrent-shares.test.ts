import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DB } from '../../src/db/types.ts';
import { expectOk, type Json, type Reply } from '../support/client.ts';
import { aHub, aMemberOf, type Hub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person } from '../support/people.ts';
import { aSlider, requestShareToHubs, seenBy } from '../support/posts.ts';
import { countLockWaits } from '../support/races.ts';
import { castVote, summaryOf } from '../support/votes.ts';

const VOTERS = 20;

let opine: Opine;
let author: Person;
let sharer: Person;
let voters: Person[];
let hub: Hub;

beforeAll(async () => {
  // Without a worker nothing is folded: only the vote or the share can count a vote in the Hub.
  opine = await startOpine();
  author = await confirmedPerson(opine);
  sharer = await hubReadyPerson(opine);
  hub = await aHub(sharer);
  voters = await Promise.all(Array.from({ length: VOTERS }, () => aMemberOf(opine, sharer, hub)));
});

afterAll(() => opine.stop());

const share = (post: Json) => requestShareToHubs(sharer, post, [hub]);

/** Returns how many votes members see on `post` in the Hub. */
const votesInHub = async (post: Json): Promise<number> =>
  (await expectOk(summaryOf(sharer, post, hub))).summary.totalVotes;

/** Takes the lock of `lock`, sends `request`, runs `meanwhile` once `request` waits, and releases the lock. */
async function whileLocked(
  lock: (transaction: Transaction<DB>) => Promise<unknown>,
  request: () => Promise<Reply>,
  meanwhile: () => Promise<unknown>,
): Promise<Reply> {
  const sent: Promise<Reply>[] = [];
  await opine.database.superuser.transaction().execute(async (transaction) => {
    await lock(transaction);
    sent.push(request());
    await expect.poll(() => countLockWaits(opine)).toBe(1);
    await meanwhile();
  });
  const [reply] = await Promise.all(sent);
  if (reply === undefined) throw new Error('Nothing was requested.');
  return reply;
}

// docs/product.md V8
test('a vote that began before a share and commits after it counts in the Hub', async () => {
  const [voter] = voters as [Person];
  const post = await aSlider(author);
  const voted = await whileLocked(
    (transaction) => sql`select from app.users where id = ${voter.id} for update`.execute(transaction),
    () => castVote(voter, post),
    () => expectOk(share(post)),
  );
  expect(voted.status).toBe(201);
  expect(await votesInHub(post)).toBe(1);
  expect(await seenBy(voter, post)).toMatchObject({ viewerVote: { hasVoted: true } });
});

test('a vote that commits during a share counts in the Hub', async () => {
  const [voter] = voters as [Person];
  const post = await aSlider(author);
  const voting: Promise<Reply>[] = [];
  const shared = await whileLocked(
    (transaction) => sql`select from app.hubs where id = ${hub.id} for no key update`.execute(transaction),
    () => share(post),
    async () => {
      voting.push(castVote(voter, post));
      await expect.poll(() => countLockWaits(opine)).toBe(2);
    },
  );
  const [voted] = await Promise.all(voting);
  expect([voted?.status, shared.status]).toEqual([201, 201]);
  expect(await votesInHub(post)).toBe(1);
});

// docs/product.md V8
test('concurrent votes and a share all count in the Hub once all are answered', async () => {
  for (let round = 0; round < 10; round += 1) {
    const post = await aSlider(author);
    const votes = voters.map((voter) => () => castVote(voter, post));
    const half = VOTERS / 2;
    const requests = [...votes.slice(0, half), () => share(post), ...votes.slice(half)];
    const replies = await Promise.all(requests.map((request) => request()));
    expect(replies.map(({ status }) => status)).toEqual(requests.map(() => 201));
    expect(await votesInHub(post)).toBe(VOTERS);
  }
});
