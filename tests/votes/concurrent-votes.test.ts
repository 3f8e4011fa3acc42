import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type Reply, refusal } from '../support/client.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, confirmedPerson, type Person, registeredPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf, myVote, POSITIONS, type Position } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;
let author: Person;
let audience: Person[];

beforeAll(async () => {
  opine = await startOpine();
  author = await confirmedPerson(opine);
  audience = await Promise.all(VOTES.map(() => registeredPerson(opine)));
});

afterAll(() => opine.stop());

/** Votes of the audience by position. */
const COUNTS = [5, 8, 10, 12, 15];
const VOTES = POSITIONS.flatMap((position, index) => Array<Position>(COUNTS[index] ?? 0).fill(position));

const voteAtOnce = (post: Json): Promise<Reply[]> =>
  Promise.all(audience.map((voter, index) => castVote(voter, post, VOTES[index])));

const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);

describe('fifty concurrent votes', () => {
  test('every vote counts once', async () => {
    const post = await aSlider(author);
    const replies = await voteAtOnce(post);
    expect(statusesOf(replies)).toEqual(Array(50).fill(201));
    expect(await countsOf(aGuest(opine), post)).toEqual(COUNTS);
    for (const { data } of replies) {
      const { totalVotes, leftCount, neutralCount, rightCount } = data.summary;
      expect(totalVotes).toBeGreaterThanOrEqual(1);
      expect(totalVotes).toBe(leftCount + neutralCount + rightCount);
    }
    const seen = replies.map(({ data }) => data.summary.totalVotes);
    expect(Math.max(...seen)).toBe(50);
  });

  test('every vote counts once while the worker folds votes', async () => {
    const post = await aSlider(author);
    let isVoting = true;
    const folding = (async () => {
      while (isVoting) await foldAllVotes(opine);
    })();
    const replies = await voteAtOnce(post).finally(() => {
      isVoting = false;
    });
    await folding;
    expect(statusesOf(replies)).toEqual(Array(50).fill(201));
    expect(await countsOf(aGuest(opine), post)).toEqual(COUNTS);
    await foldAllVotes(opine);
    expect(await countsOf(aGuest(opine), post)).toEqual(COUNTS);
    const slots = await opine.database.superuser.selectFrom('app.vote_slots').select('slot').execute();
    expect(slots).toEqual([]);
  });

  test('every vote of fifty voters on five posts counts once', async () => {
    const posts = [];
    for (const _ of [1, 2, 3, 4, 5]) posts.push(await aSlider(author));
    const replies = await Promise.all(posts.map(voteAtOnce));
    expect(statusesOf(replies.flat()).filter((status) => status !== 201)).toEqual([]);
    for (const post of posts) expect(await countsOf(aGuest(opine), post)).toEqual(COUNTS);
  });
});

// docs/product.md V1
test('fifty concurrent votes of one voter count once and are 409 otherwise', async () => {
  const post = await aSlider(author);
  const replies = await Promise.all(VOTES.map((position) => castVote(author, post, position)));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = replies.filter(({ status }) => status !== 201);
  for (const reply of refused) expect(reply).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
  expect(refused).toHaveLength(49);
  const total = (await countsOf(author, post)).reduce((sum, count) => sum + count, 0);
  expect(total).toBe(1);
});

test('fifty votes during the deletion of their post answer 201 or 404', async () => {
  const post = await aSlider(author);
  const [replies] = await Promise.all([voteAtOnce(post), author.delete(`/posts/${post.id}`)]);
  expect(statusesOf(replies).filter((status) => status !== 201 && status !== 404)).toEqual([]);
  expect((await aGuest(opine).get(`/posts/${post.id}`)).status).toBe(404);
});

describe('a vote with a retryable database error', () => {
  /** Makes the next `count` inserts of receipts fail with `sqlstate`. */
  async function failNext(count: number, sqlstate: string): Promise<void> {
    const { superuser } = opine.database;
    // A sequence keeps its count when its transaction rolls back.
    await sql`create sequence app.failures owned by none`.execute(superuser);
    await sql`grant usage on sequence app.failures to public`.execute(superuser);
    await sql`
      create function app.fail_next() returns trigger language plpgsql as ${sql.raw(`$fail$
        begin
          if nextval('app.failures') <= ${count} then
            raise exception using errcode = '${sqlstate}';
          end if;
          return new;
        end
      $fail$`)}`.execute(superuser);
    await sql`
      create trigger fail_next before insert on app.vote_receipts
      for each row execute function app.fail_next()`.execute(superuser);
  }

  async function stopFailing(): Promise<void> {
    await sql`drop function app.fail_next cascade`.execute(opine.database.superuser);
    await sql`drop sequence app.failures`.execute(opine.database.superuser);
  }

  test.each(['40001', '40P01', '53200'])(
    'the service retries after SQLSTATE %s and the vote counts once',
    async (sqlstate) => {
      const post = await aSlider(author);
      await failNext(3, sqlstate);
      const { status } = await castVote(author, post).finally(stopFailing);
      expect(status).toBe(201);
      expect(await countsOf(author, post)).toEqual([0, 1, 0, 0, 0]);
    },
  );

  // docs/product.md W15
  test('a vote that keeps failing is 503, does not count and can be cast later', async () => {
    const post = await aSlider(author);
    await failNext(1000, '40001');
    const reply = await castVote(author, post).finally(stopFailing);
    expect(reply).toMatchObject(refusal(503, 'SERVICE_UNAVAILABLE'));
    expect((await myVote(author, post)).data.hasVoted).toBe(false);
    expect(await countsOf(author, post)).toEqual([]);
    expect((await castVote(author, post)).status).toBe(201);
  });
});

test('ten votes that start before the deletion of their post answer 201 or 404', async () => {
  const voters = await Promise.all(Array.from({ length: 10 }, () => registeredPerson(opine)));
  for (const _ of [1, 2, 3, 4, 5]) {
    const post = await aSlider(author);
    const votes = voters.map((voter) => castVote(voter, post));
    const deletion = await author.delete(`/posts/${post.id}`);
    expect(deletion.status).toBe(200);
    for (const { status } of await Promise.all(votes)) expect([201, 404]).toContain(status);
    expect(await castVote(author, post)).toMatchObject(refusal(404, 'POST_NOT_FOUND'));
  }
});
