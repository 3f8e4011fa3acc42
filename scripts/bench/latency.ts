import path from 'node:path';
import { startApi } from './api.ts';
import { createBearers } from './bearers.ts';
import type { Requests } from './comparison.ts';
import { runLoad } from './load.ts';
import { afterRunUp } from './rates.ts';
import type { Database, World } from './world.ts';

const ROUNDS = 5;

/** So many clients of one sort, and what they ask, of which each answer is timed. */
export interface Clients {
  readonly title: string;
  /** How many of them ask at once, each its next question after the answer to the last. */
  readonly count: number;
  /** Kinds of one request, each as frequent as the others. */
  readonly mix: readonly Requests[];
  /** The most that the median over the mix shall be, in milliseconds; none: shown for information. */
  readonly target?: number;
  /** Requests to hold the others against, as no machine is always as fast. */
  readonly baselines: readonly Requests[];
}

/** What `npm run bench -- <name>` picks. */
export interface LatencyScenario {
  readonly name: string;
  /** Fills a copy of the populated database, and says who asks what. */
  prepare(database: Database): Promise<readonly Clients[]>;
}

/** How long each answer took that counts: milliseconds. */
export type Times = ReadonlyMap<Requests, readonly number[]>;

/**
 * Times requests: first a round that does not count, then rounds in which each kind has a block for each sort of
 * clients, so that whatever else the machine does meanwhile meets all.
 * @param onRound told of each round that counts
 */
export async function timeRequests(
  { directory }: World,
  database: Database,
  everybody: readonly Clients[],
  onRound: (number: number) => void,
): Promise<ReadonlyMap<Clients, Times>> {
  const bearers = await createBearers();
  await using api = await startApi({
    databaseUrl: database.urlAs('opine_gateway'),
    signingKey: bearers.signingKey,
    logFile: path.join(directory, 'api.log'),
  });
  const results = new Map(everybody.map((clients) => [clients, new Map<Requests, number[]>()]));
  for (let number = 0; number <= ROUNDS; number += 1) {
    for (const [{ count: connections, baselines, mix }, times] of results) {
      for (const kind of [...baselines, ...mix]) {
        const first = number * kind.count;
        const timings = await runLoad(kind, { port: api.port, bearers, directory, first, connections });
        const took = afterRunUp(timings).map(([sent, answered]) => (answered - sent) * 1000);
        if (number > 0) times.set(kind, [...(times.get(kind) ?? []), ...took]);
      }
    }
    if (number > 0) onRound(number);
  }
  return results;
}
