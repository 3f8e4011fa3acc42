import { beforeAll, describe, expect, test } from 'vitest';
import { replay } from '../simulations/votes/replay.ts';
import { isLost } from '../simulations/votes/requests.ts';
import { RULES } from '../simulations/votes/rules.ts';
import { type SimulationResult, simulateCrashes } from '../simulations/votes/simulation.ts';

let result: SimulationResult;

beforeAll(async () => {
  result = await simulateCrashes({ seed: 1, callsPerDevice: 15, faults: ['the service', 'SIGQUIT'] });
}, 180_000);

describe('votes of 64 devices through kills of the service and a crash of Postgres', () => {
  test.each(Object.entries(RULES))('%s', (_, broken) => {
    expect(broken(result).slice(0, 5)).toEqual([]);
  });
});

test('the load includes every kind of activity and both outages', () => {
  const { world, history, commits, commitsBefore, folded } = result;
  const { calls, outages } = history;
  const countOf = (action: string, outcome: string) =>
    calls.filter((call) => call.action === action && call.outcome === outcome).length;
  const committed = new Set(
    commits.transitions.slice(commitsBefore.transitions.length).map(({ kind }) => kind),
  );
  const { votes } = replay(world, commits);
  const promoted = votes.filter(({ vote, pending }) =>
    pending.some((hubId) => folded.places.has(`${vote.postId} ${hubId}`)),
  );
  expect(calls.length).toBeGreaterThanOrEqual(960);
  expect(calls.filter(isLost).length).toBeGreaterThan(10);
  expect(outages.map(({ what }) => what)).toEqual(['the service', 'Postgres']);
  expect([...committed].sort()).toEqual(['deleted', 'joined', 'left', 'placed']);
  expect(countOf('vote', 'done')).toBeGreaterThan(100);
  expect(countOf('vote', 'VOTE_ALREADY_CAST')).toBeGreaterThan(10);
  expect(countOf('vote', 'POST_NOT_FOUND')).toBeGreaterThan(0);
  expect(votes.filter(({ counted }) => counted.length > 0).length).toBeGreaterThan(10);
  expect(promoted.length).toBeGreaterThan(0);
});
