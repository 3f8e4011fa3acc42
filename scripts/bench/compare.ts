import path from 'node:path';
import { POOL_SIZE, startApi } from './api.ts';
import { createBearers } from './bearers.ts';
import type { Comparison } from './comparison.ts';
import { runLoad } from './load.ts';
import { runPgbench } from './pgbench.ts';
import { median, rateOf } from './rates.ts';
import { rollbacksOf } from './statistics.ts';
import type { Database, World } from './world.ts';

const ROUNDS = 7;

/** The rates of one round, in requests a second. */
export interface Round {
  readonly api: number;
  readonly pgbench: number;
  /** For information: pgbench with prepared statements, which a pooler in transaction mode may not carry. */
  readonly prepared: number;
}

/** What a comparison came to: medians over its rounds. */
export interface Result extends Round {
  readonly ratio: number;
  readonly lowestRatio: number;
  readonly highestRatio: number;
  /** Transactions that were run again after a lost serialization race, in all rounds. */
  readonly apiRetries: number;
  readonly pgbenchRetries: number;
}

/**
 * Compares both sides on a database of their own: first a round that does not count, then rounds in which each side
 * runs once, so that whatever else the machine does meanwhile meets both.
 * @param pgbench the program
 * @param onRound told of each round that counts
 */
export async function compare(
  world: World,
  pgbench: string,
  comparison: Comparison,
  onRound: (round: Round) => void,
): Promise<Result> {
  const database = await world.createDatabase();
  const { rounds, pgbenchRetries } = await runRounds(world, database, pgbench, comparison, onRound);
  const rollbacks = await rollbacksOf(database);
  const ratios = rounds.map(ratioOf);
  return {
    api: median(rounds.map(({ api }) => api)),
    pgbench: median(rounds.map(({ pgbench }) => pgbench)),
    prepared: median(rounds.map(({ prepared }) => prepared)),
    ratio: median(ratios),
    lowestRatio: Math.min(...ratios),
    highestRatio: Math.max(...ratios),
    apiRetries: rollbacks - pgbenchRetries,
    pgbenchRetries,
  };
}

/** The share of pgbench's rate that the API reached. */
export function ratioOf({ api, pgbench }: Round): number {
  return api / pgbench;
}

async function runRounds(
  world: World,
  database: Database,
  program: string,
  comparison: Comparison,
  onRound: (round: Round) => void,
): Promise<{ rounds: Round[]; pgbenchRetries: number }> {
  const { directory } = world;
  const bearers = await createBearers();
  await using api = await startApi({
    databaseUrl: database.urlAs('opine_gateway'),
    signingKey: bearers.signingKey,
    logFile: path.join(directory, 'api.log'),
  });
  const rounds: Round[] = [];
  let used = 0;
  let pgbenchRetries = 0;
  const takeBlock = () => {
    const first = used;
    // Half of it is spare: where pgbench runs a transaction again, it takes the next number.
    used += 2 * comparison.count;
    return first;
  };
  const throughPgbench = async (protocol: 'extended' | 'prepared') => {
    const { rate, retries } = await runPgbench(comparison, {
      program,
      directory,
      url: database.urlAs(comparison.login),
      connections: POOL_SIZE,
      protocol,
      first: takeBlock(),
    });
    pgbenchRetries += retries;
    return rate;
  };
  const throughApi = async () => {
    const { port } = api;
    const timings = await runLoad(comparison, { port, bearers, directory, first: takeBlock() });
    return rateOf(timings.map(([, answered]) => answered));
  };
  for (let number = 0; number <= ROUNDS; number += 1) {
    const round = {
      api: await throughApi(),
      pgbench: await throughPgbench('extended'),
      prepared: await throughPgbench('prepared'),
    };
    if (number === 0) continue;
    rounds.push(round);
    onRound(round);
  }
  return { rounds, pgbenchRetries };
}
