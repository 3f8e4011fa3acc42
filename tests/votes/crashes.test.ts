import { beforeAll, describe, expect, test } from 'vitest';
import { isLost } from '../simulations/votes/chaos-acts.ts';
import { type Aftermath, afterFire } from '../simulations/votes/chaos-aftermath.ts';
import { RULES } from '../simulations/votes/tally.ts';
import { replayed } from '../simulations/votes/tally-replay.ts';

let aftermath: Aftermath;

beforeAll(async () => {
  aftermath = await afterFire({ seed: 1, actsOfEach: 15, strikes: ['the service', 'SIGQUIT'] });
}, 180_000);

describe('votes of 64 devices through kills of the service and a crash of Postgres', () => {
  test.each(Object.entries(RULES))('%s', (_, broken) => {
    expect(broken(aftermath).slice(0, 5)).toEqual([]);
  });
});

test('the load includes every kind of activity and both outages', () => {
  const { world, history, testimony, initially, folded } = aftermath;
  const { acts, outages } = history;
  const countOf = (deed: string, outcome: string) =>
    acts.filter((act) => act.deed === deed && act.told === outcome).length;
  const committed = new Set(testimony.moves.slice(initially.moves.length).map(({ kind }) => kind));
  const { votes } = replayed(world, testimony);
  const promoted = votes.filter(({ vote, pending }) =>
    pending.some((hubId) => folded.places.has(`${vote.postId} ${hubId}`)),
  );
  expect(acts.length).toBeGreaterThanOrEqual(960);
  expect(acts.filter(isLost).length).toBeGreaterThan(10);
  expect(outages.map(({ what }) => what)).toEqual(['the service', 'Postgres']);
  expect([...committed].sort()).toEqual(['deleted', 'joined', 'left', 'placed']);
  expect(countOf('vote', 'done')).toBeGreaterThan(100);
  expect(countOf('vote', 'VOTE_ALREADY_CAST')).toBeGreaterThan(10);
  expect(countOf('vote', 'POST_NOT_FOUND')).toBeGreaterThan(0);
  expect(votes.filter(({ counted }) => counted.length > 0).length).toBeGreaterThan(10);
  expect(promoted.length).toBeGreaterThan(0);
});
