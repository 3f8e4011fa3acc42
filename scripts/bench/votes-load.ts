import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openWorkerDatabase } from '../../src/db/worker-database.ts';
import { foldVotes } from '../../src/worker/tasks.ts';
import { withClient } from '../local/connection.ts';
import { PENDING_VOTE_KEY, startApi } from './api.ts';
import type { Bearers } from './bearers.ts';
import type { Comparison } from './comparison.ts';
import { runLoad } from './load.ts';
import { runPgbench } from './pgbench.ts';
import { rateOf } from './rates.ts';
import { rollbacksOf } from './statistics.ts';
import type { Database, World } from './world.ts';

// The worker's own turns are 10 seconds apart, longer than a block takes.
const FOLD_EVERY_MS = 1_000;

const NEVER = new AbortController().signal;

// Slots are left to rest, as they are in production.
const UNFOLDED = `
select exists (select from app.fresh_votes)
  or exists (select from app.pending_ballots) as is_unfolded`;

/** A database, and an API, in which votes are cast. */
export interface VoteLoad extends AsyncDisposable {
  /** Casts a block of votes through the API. */
  throughApi(votes: Comparison, connections: number): Promise<Block>;
  /** Casts a block by pgbench. */
  throughPgbench(votes: Comparison, connections: number): Promise<Block & { readonly retries: number }>;
  /** Ends the API. @returns how many transactions rolled back, through whichever of both */
  close(): Promise<number>;
}

/** What a block of votes came to. */
export interface Block {
  /** Votes a second. */
  readonly rate: number;
  /** How long the fold was at work for each vote, within the block and behind it: milliseconds. */
  readonly foldMs: number;
}

/** What a load is opened with. */
export interface VoteLoadOptions {
  readonly world: World;
  readonly database: Database;
  readonly bearers: Bearers;
  /** The program. */
  readonly pgbench: string;
}

/**
 * Opens a load. While votes are cast its fold goes on, and after each block it is finished, so that every vote is
 * paid for where it was cast.
 */
export async function openVoteLoad({
  world,
  database,
  bearers,
  pgbench,
}: VoteLoadOptions): Promise<VoteLoad> {
  const { directory } = world;
  await using parts = new AsyncDisposableStack();
  const logFile = path.join(directory, `api-${database.name}.log`);
  const databaseUrl = database.urlAs('opine_gateway');
  const api = parts.use(await startApi({ databaseUrl, signingKey: bearers.signingKey, logFile }));
  const db = openWorkerDatabase(database.urlAs('opine_worker'), () => {});
  parts.defer(() => db.destroy());
  const fold = foldVotes(db, [PENDING_VOTE_KEY]);
  let used = 0;
  const takeBlock = ({ count }: Comparison) => {
    const first = used;
    // Half of it is spare: where pgbench runs a transaction again, it takes the next number.
    used += 2 * count;
    return first;
  };
  const whileFolding = async <T>({ count }: Comparison, cast: () => Promise<T>) => {
    const done = new AbortController();
    let busyMs = 0;
    const turn = async () => {
      const began = performance.now();
      await fold.run(NEVER);
      busyMs += performance.now() - began;
    };
    const folding = (async () => {
      while (await rests(done.signal)) await turn();
    })();
    const result = await cast().finally(async () => {
      done.abort();
      await folding;
    });
    while (await isUnfolded(database)) await turn();
    return { result, foldMs: busyMs / count };
  };
  const opened = parts.move();
  return {
    throughApi: async (votes, connections) => {
      const run = { port: api.port, bearers, directory, first: takeBlock(votes), connections };
      const { result, foldMs } = await whileFolding(votes, () => runLoad(votes, run));
      return { rate: rateOf(result.map(([, answered]) => answered)), foldMs };
    },
    throughPgbench: async (votes, connections) => {
      const url = database.urlAs(votes.login);
      const run = { program: pgbench, directory, url, connections, protocol: 'extended' } as const;
      const first = takeBlock(votes);
      const { result, foldMs } = await whileFolding(votes, () => runPgbench(votes, { ...run, first }));
      return { ...result, foldMs };
    },
    close: async () => {
      await opened.disposeAsync();
      return rollbacksOf(database);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Waits for the next turn of the fold. @returns whether there is to be one */
async function rests(done: AbortSignal): Promise<boolean> {
  await pause(FOLD_EVERY_MS, undefined, { signal: done }).catch(() => {});
  return !done.aborted;
}

function isUnfolded({ superuserUrl }: Database): Promise<boolean> {
  return withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ is_unfolded: boolean }>(UNFOLDED);
    return rows[0]?.is_unfolded ?? false;
  });
}
