import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../../scripts/local/connection.ts';
import { expectOk, refusal } from '../support/client.ts';
import { profileSeenBy } from '../support/graph.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { whileInsertsFail } from '../support/outages.ts';
import { confirmedPerson, hubReadyPerson, registeredPerson, signedInAfter } from '../support/people.ts';
import { watchPlans } from '../support/plans.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf, myVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

// docs/product.md V16
test('votes, counts and profiles read the same before and after a fold', async () => {
  const maya = await confirmedPerson(opine, 'Maya');
  let [jonas, lena] = [await registeredPerson(opine, 'Jonas'), await registeredPerson(opine, 'Lena')];
  const posts = [await aSlider(maya), await aSlider(maya), await aSlider(maya)];
  for (const post of posts) await expectOk(castVote(jonas, post));
  for (const post of posts.slice(1)) await expectOk(castVote(lena, post, 'right'));
  const readAll = async () => ({
    votes: await Promise.all(
      [jonas, lena].map(async (voter) => (await profileSeenBy(voter, voter)).activity.votes),
    ),
    own: await Promise.all(
      posts.flatMap((post) => [jonas, lena].map(async (voter) => (await myVote(voter, post)).data)),
    ),
    counts: await Promise.all(posts.map((post) => countsOf(jonas, post))),
  });
  const before = await readAll();
  expect(before.votes).toEqual([3, 2]);
  expect(before.own.map(({ hasVoted }) => hasVoted)).toEqual([true, false, true, true, true, true]);
  expect(before.counts).toEqual([
    [0, 1, 0, 0, 0],
    [0, 1, 0, 1, 0],
    [0, 1, 0, 1, 0],
  ]);
  await foldAllVotes(opine);
  expect(await readAll()).toEqual(before);
  for (const post of posts) {
    expect(await castVote(jonas, post)).toMatchObject(refusal(409, 'VOTE_ALREADY_CAST'));
  }
  expect((await profileSeenBy(lena, jonas)).activity.votes).toBe(0);
  [jonas, lena] = await signedInAfter(opine, '61 minutes', jonas, lena);
  await foldAllVotes(opine);
  expect((await profileSeenBy(lena, jonas)).activity.votes).toBe(3);
  expect(await readAll()).toEqual(before);
});

test('a failing fold step does not block the other steps and succeeds on the next run', async () => {
  const { database } = opine;
  const maya = await hubReadyPerson(opine, 'Maya');
  await aHub(maya);
  const post = await aSlider(maya);
  const unfolded = async () => ({
    ballots: (await database.superuser.selectFrom('app.pending_ballots').selectAll().execute()).length,
    votes: (await database.superuser.selectFrom('app.fresh_votes').selectAll().execute()).length,
  });
  await whileInsertsFail(database, 'app.pending_totals', async () => {
    await castVote(maya, post, 'right');
    await expect(foldAllVotes(opine)).rejects.toThrow(AggregateError);
    expect(await unfolded()).toEqual({ ballots: 1, votes: 0 });
  });
  await foldAllVotes(opine);
  expect(await unfolded()).toEqual({ ballots: 0, votes: 0 });
  expect(await countsOf(maya, post)).toEqual([0, 0, 0, 1, 0]);
});

test('reads of votes use the index of slots, also by plans made when a fold had emptied them', async () => {
  const { superuserUrl } = opine.database;
  const { id: postId } = await aSlider(await confirmedPerson(opine, 'Maya'));
  await foldAllVotes(opine);
  await withClient(superuserUrl, (client) => client.query('vacuum (analyze) app.vote_slots'));
  await watchPlans(opine.database, async (invoke) => {
    const scansOf = async (operation: string) =>
      (await invoke(operation, null, { postId })).nodes
        .filter((node) => node['Relation Name']?.startsWith('vote_slots'))
        .map((node) => node['Node Type']);
    const operations = ['get_post', 'get_vote_summary'];
    for (const operation of operations) await scansOf(operation);
    await withClient(superuserUrl, (client) =>
      client.query(
        'insert into app.vote_slots (post_id, slot) select gen_random_uuid(), 1 from generate_series(1, 5000)',
      ),
    );
    for (const operation of operations) {
      expect(await scansOf(operation), operation).toEqual(['Index Scan', 'Index Scan']);
    }
  });
});
