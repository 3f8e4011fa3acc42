import { afterAll, beforeAll, expect, test } from 'vitest';
import { votesAreFolded } from '../support/fold.ts';
import { aHub } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { whileRowsAreRefused } from '../support/outages.ts';
import { aHubReady } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { castVote, countsOf } from '../support/votes.ts';

let opine: Opine;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

test('what one step of the fold cannot do keeps the others from nothing, and is done when it can', async () => {
  const { database } = opine;
  const maya = await aHubReady(opine, 'Maya');
  await aHub(maya);
  const post = await aSlider(maya);
  const left = async () => ({
    ballots: (await database.superuser.selectFrom('app.pending_ballots').selectAll().execute()).length,
    votes: (await database.superuser.selectFrom('app.fresh_votes').selectAll().execute()).length,
  });
  await whileRowsAreRefused(database, 'app.pending_totals', async () => {
    await castVote(maya, post, 'right');
    await expect(votesAreFolded(opine)).rejects.toThrow(AggregateError);
    expect(await left()).toEqual({ ballots: 1, votes: 0 });
  });
  await votesAreFolded(opine);
  expect(await left()).toEqual({ ballots: 0, votes: 0 });
  expect(await countsOf(maya, post)).toEqual([0, 0, 0, 1, 0]);
});
