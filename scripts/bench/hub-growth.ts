import type pg from 'pg';
import { withClient } from '../local/connection.ts';
import { PHOTOS_URL } from './api.ts';
import { claimsOf } from './bearers.ts';
import type { HubRequests } from './hub-requests.ts';
import type { Database } from './world.ts';

const ROUNDS = 7;
const COUNT = 200;

/** The same kind of requests at two sizes. */
export interface Pair {
  readonly title: string;
  readonly full: HubRequests;
  readonly hundredth: HubRequests;
}

/** Pairs that are judged together. */
export interface Growth {
  readonly title: string;
  readonly pairs: readonly Pair[];
}

/** How long requests took in each round: milliseconds. */
export interface Times {
  readonly full: number[][];
  readonly hundredth: number[][];
}

/**
 * Times requests as the gateway sends them to Postgres, on one connection to each database: number after number at one
 * size and then at the other, so that whatever else the machine does meanwhile meets both. The first round does not
 * count.
 * @param onRound told of each round that counts
 */
export function timeGrowth(
  databases: { readonly full: Database; readonly hundredth: Database },
  pairs: readonly Pair[],
  onRound: (number: number) => void,
): Promise<ReadonlyMap<Pair, Times>> {
  const results = new Map<Pair, Times>(pairs.map((pair) => [pair, { full: [], hundredth: [] }]));
  return withClient(databases.full.urlAs('opine_gateway'), (full) =>
    withClient(databases.hundredth.urlAs('opine_gateway'), async (hundredth) => {
      for (let number = 0; number <= ROUNDS; number += 1) {
        for (const [pair, times] of results) {
          const round = await timesOf(pair, { full, hundredth }, number * COUNT);
          if (number === 0) continue;
          times.full.push(round.full);
          times.hundredth.push(round.hundredth);
        }
        if (number > 0) onRound(number);
        else for (const database of Object.values(databases)) await foldPresence(database);
      }
      return results;
    }),
  );
}

/** Folds what the first visits of all readers have left, as the worker does every minute. */
async function foldPresence(database: Database): Promise<void> {
  await withClient(database.urlAs('opine_worker'), (client) => client.query('select app.fold_presence()'));
}

async function timesOf(
  pair: Pair,
  clients: { readonly full: pg.Client; readonly hundredth: pg.Client },
  first: number,
): Promise<{ full: number[]; hundredth: number[] }> {
  const round = { full: [] as number[], hundredth: [] as number[] };
  for (let n = first; n < first + COUNT; n += 1) {
    round.full.push(await timeOf(clients.full, pair.full, n));
    round.hundredth.push(await timeOf(clients.hundredth, pair.hundredth, n));
  }
  return round;
}

async function timeOf(client: pg.Client, requests: HubRequests, n: number): Promise<number> {
  const { operation, answerHolds, title, request } = requests;
  const { args, user } = request(n);
  const values = [operation, JSON.stringify(claimsOf(user)), JSON.stringify(args), false, PHOTOS_URL];
  const text = `select answer from gateway.call('caller', $1, $3, $2, $4, $5)`;
  const sent = performance.now();
  const { rows } = await client.query<{ answer: string }>({ text, values });
  const took = performance.now() - sent;
  if (!rows[0]?.answer.includes(answerHolds)) throw new Error(`not the answer expected: ${title}`);
  return took;
}
