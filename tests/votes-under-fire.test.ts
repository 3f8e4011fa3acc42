import { beforeAll, describe, expect, test } from 'vitest';
import { isLost } from './builders/vote-chaos-acts.ts';
import { type Aftermath, afterFire } from './builders/vote-chaos-aftermath.ts';
import { RULES } from './builders/vote-tally.ts';

let aftermath: Aftermath;

beforeAll(async () => {
  aftermath = await afterFire({ seed: 1, actsOfEach: 15, strikes: ['the service', 'SIGQUIT'] });
});

describe('sixty-four who vote, share, delete, look, come and go, while the service is killed and Postgres crashes:', () => {
  test.each(Object.entries(RULES))('%s', (_, broken) => {
    expect(broken(aftermath)).toEqual([]);
  });
});

test('all of that has happened', () => {
  const { history, testimony, initially } = aftermath;
  const { acts, outages } = history;
  const came = (deed: string, told: string) =>
    acts.filter((act) => act.deed === deed && act.told === told).length;
  const committed = new Set(testimony.moves.slice(initially.moves.length).map(({ kind }) => kind));
  expect(acts.length).toBeGreaterThanOrEqual(960);
  expect(outages.map(({ what }) => what)).toEqual(['the service', 'Postgres']);
  expect([...committed].sort()).toEqual(['deleted', 'joined', 'left', 'placed']);
  expect(came('vote', 'done')).toBeGreaterThan(100);
  expect(came('vote', 'VOTE_ALREADY_CAST')).toBeGreaterThan(0);
  expect(came('vote', 'POST_NOT_FOUND')).toBeGreaterThan(0);
  expect(acts.filter(isLost).length).toBeGreaterThan(10);
});
