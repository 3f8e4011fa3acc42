import { afterAll, beforeAll, expect, test } from 'vitest';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { whileInsertsFail } from '../support/outages.ts';
import { hubReadyPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

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
