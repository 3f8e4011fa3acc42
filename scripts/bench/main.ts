import { runScript } from '../db/run-script.ts';
import { installTools } from '../tools.ts';
import { compareRates, findPgbench } from './compare.ts';
import type { Comparison } from './requests.ts';
import { before } from './scenarios/before.ts';
import { beside } from './scenarios/beside.ts';
import { day } from './scenarios/day.ts';
import { feeds } from './scenarios/feeds.ts';
import { notifications } from './scenarios/notifications.ts';
import { profile, read } from './scenarios/read.ts';
import { search } from './scenarios/search.ts';
import { searchPosts } from './scenarios/search-posts.ts';
import { streams } from './scenarios/streams.ts';
import { vote } from './scenarios/vote.ts';
import { votes } from './scenarios/votes.ts';
import { startWorld, type World } from './world.ts';

/** Comparisons of the API with pgbench, which share one table. */
const COMPARISONS: ReadonlyMap<string, readonly Comparison[]> = new Map(
  Object.entries({ read, profile, vote }),
);

/** Scenarios with tables of their own. The first uses pgbench. */
const WITH_PGBENCH: ReadonlyMap<string, (world: World, pgbench: string) => Promise<void>> = new Map(
  Object.entries({ votes }),
);
const WITHOUT_PGBENCH: ReadonlyMap<string, (world: World) => Promise<void>> = new Map(
  Object.entries({
    search,
    'search-posts': searchPosts,
    feeds,
    notifications,
    streams,
    day,
    beside,
    before,
  }),
);

async function main(names: readonly string[]): Promise<void> {
  const known = [COMPARISONS, WITH_PGBENCH, WITHOUT_PGBENCH].flatMap((scenarios) => [...scenarios.keys()]);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no scenario "${unknown}": there are ${known.join(', ')}`);
  const picked = <T>(scenarios: ReadonlyMap<string, T>): T[] =>
    [...scenarios].filter(([name]) => names.length === 0 || names.includes(name)).map(([, value]) => value);
  const comparisons = picked(COMPARISONS).flat();
  const needsPgbench = comparisons.length + picked(WITH_PGBENCH).length > 0;
  const pgbench = needsPgbench ? findPgbench() : '';
  installTools();
  await using world = await startWorld();
  if (comparisons.length > 0) await compareRates(world, pgbench, comparisons);
  for (const measure of picked(WITH_PGBENCH)) await measure(world, pgbench);
  for (const measure of picked(WITHOUT_PGBENCH)) await measure(world);
}

runScript(() => main(process.argv.slice(2)));
