import { test } from 'vitest';
import * as feeds from '../simulations/feeds/drivers.ts';
import { expectNoDifference as expectModelOfFeeds } from '../simulations/feeds/simulation.ts';
import * as membership from '../simulations/membership/drivers.ts';
import { expectNoDifference as expectModelOfMembership } from '../simulations/membership/simulation.ts';
import { scaled } from '../support/depth.ts';

test('replicas that replay late show nothing of Hubs that the primary hides, and everybody their own writes', async () => {
  await expectModelOfMembership(membership.overReplicas, scaled(10), 30);
});

test('replicas that replay late show nothing of feeds that the primary hides, and everybody their own writes', async () => {
  await expectModelOfFeeds(feeds.overReplicas, { numRuns: scaled(10), maxLength: 30 });
});
