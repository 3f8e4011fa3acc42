import path from 'node:path';
import { startApi } from './api.ts';
import { createBearers } from './bearers.ts';
import type { Cost } from './cost.ts';
import { runLoad } from './load.ts';
import type { Database, World } from './world.ts';

const ROUNDS = 7;

// The first rounds after a start cost up to twice as much as those after them.
const RUN_UP_ROUNDS = 3;

/** What each request of a round cost the API: microseconds of CPU, user and system. */
export type CostRound = ReadonlyMap<Cost, number>;

/**
 * Measures costs in turn: first rounds that do not count, then rounds in which each has one block of requests, so that
 * whatever else the machine does meanwhile meets all.
 * @param onRound told of each round that counts
 */
export async function measure(
  { directory }: World,
  database: Database,
  costs: readonly Cost[],
  onRound: (round: CostRound) => void,
): Promise<CostRound[]> {
  const bearers = await createBearers();
  await using api = await startApi({
    databaseUrl: database.urlAs('opine_gateway'),
    signingKey: bearers.signingKey,
    logFile: path.join(directory, 'api.log'),
  });
  const rounds: CostRound[] = [];
  for (let number = 0; number < RUN_UP_ROUNDS + ROUNDS; number += 1) {
    const round = new Map<Cost, number>();
    for (const cost of costs) {
      const before = await api.cpuTime();
      await runLoad(cost, { port: api.port, bearers, directory, first: number * cost.count });
      round.set(cost, ((await api.cpuTime()) - before) / cost.count);
    }
    if (number < RUN_UP_ROUNDS) continue;
    rounds.push(round);
    onRound(round);
  }
  return rounds;
}
