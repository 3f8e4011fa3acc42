import { withClient } from '../local/connection.ts';
import { POOL_SIZE } from './api.ts';
import type { Bearers } from './bearers.ts';
import type { Comparison } from './comparison.ts';
import { hot, inFew, inMany, inManyPlaced, inNone, spread } from './votes-kinds.ts';
import { type Block, openVoteLoad, type VoteLoad } from './votes-load.ts';
import type { Database, World } from './world.ts';

/**
 * How votes are cast. `pool`: by pgbench on as many connections as the API's pool has; `pgbench`: on as many as there
 * are clients.
 */
export type Way = 'API' | 'pool' | 'pgbench';

const WAYS: readonly Way[] = ['API', 'pool', 'pgbench'];

/** Votes a second of one kind in one way, round by round. */
export interface Series {
  readonly votes: Comparison;
  readonly way: Way;
  readonly rates: number[];
  /** How long the fold was at work for each vote: milliseconds. */
  readonly foldMs: number[];
}

/** Transactions in one way that were run again after a lost serialization race, in all rounds. */
export interface Retries {
  readonly votes: Comparison;
  readonly way: Way;
  readonly cast: number;
  readonly retries: number;
}

/** What voting with so many clients came to. */
export interface Trial {
  readonly clients: number;
  readonly series: readonly Series[];
  readonly retries: readonly Retries[];
}

/** What a trial takes. */
export interface Polls {
  readonly world: World;
  /** A database with all that is voted on: trials have copies of it. */
  readonly template: Database;
  readonly bearers: Bearers;
  readonly pgbench: string;
  /** How many rounds count. */
  readonly rounds: number;
  /** Told of each round that counts. */
  readonly onRound: (clients: number, series: readonly Series[]) => void;
}

/**
 * Votes on one post and on many, with so many clients, each kind in a database of its own: first a round that does not
 * count, then rounds in which each kind has one block in each way, the one kind first in one round and the other in
 * the next.
 */
export async function tryPosts(polls: Polls, clients: number): Promise<Trial> {
  await using spreadBooth = await boothIn(polls, `spread_${clients}`);
  await using hotBooth = await boothIn(polls, `hot_${clients}`);
  const booths = new Map([
    [spread, spreadBooth],
    [hot, hotBooth],
  ]);
  const plan = WAYS.flatMap((way) => [spread, hot].map((votes) => ({ votes, way })));
  const { series, retries: byPgbench } = await runRounds(polls, clients, booths, plan);
  const retries: Retries[] = [];
  for (const [votes, load] of booths) {
    const ofKind = byPgbench.filter((counted) => counted.votes === votes);
    const rollbacks = await load.close();
    const throughApi = rollbacks - ofKind.reduce((sum, counted) => sum + counted.retries, 0);
    retries.push(
      ...ofKind.map((counted) => (counted.way === 'API' ? { ...counted, retries: throughApi } : counted)),
    );
  }
  return { clients, series, retries };
}

/** Votes of people in no, some and many Hubs, with so many clients, likewise. */
export async function tryMembers(polls: Polls, clients: number): Promise<Trial> {
  await using load = await boothIn(polls, `members_${clients}`);
  const kinds = [inNone, inFew, inMany, inManyPlaced];
  const booths = new Map(kinds.map((votes) => [votes, load]));
  const plan = kinds.map((votes) => ({ votes, way: 'API' }) as const);
  return { clients, ...(await runRounds(polls, clients, booths, plan)), retries: [] };
}

async function runRounds(
  { onRound, rounds }: Polls,
  clients: number,
  booths: ReadonlyMap<Comparison, VoteLoad>,
  plan: readonly Pick<Series, 'votes' | 'way'>[],
): Promise<Pick<Trial, 'series' | 'retries'>> {
  const series = plan.map(({ votes, way }) => ({
    votes,
    way,
    rates: [] as number[],
    foldMs: [] as number[],
    retries: 0,
  }));
  for (let number = 0; number <= rounds; number += 1) {
    for (const way of WAYS) {
      const together = series.filter((one) => one.way === way);
      for (const one of number % 2 === 0 ? together : together.toReversed()) {
        const load = booths.get(one.votes);
        if (load === undefined) throw new Error(`no load for ${one.votes.title}`);
        const { rate, foldMs, retries } = await castIn(load, one, clients);
        one.retries += retries;
        if (number === 0) continue;
        one.rates.push(rate);
        one.foldMs.push(foldMs);
      }
    }
    if (number > 0) onRound(clients, series);
  }
  const cast = (votes: Comparison) => votes.count * (rounds + 1);
  return {
    series,
    retries: series.map(({ votes, way, retries }) => ({ votes, way, cast: cast(votes), retries })),
  };
}

async function castIn(
  load: VoteLoad,
  { votes, way }: Pick<Series, 'votes' | 'way'>,
  clients: number,
): Promise<Block & { readonly retries: number }> {
  if (way === 'API') return { ...(await load.throughApi(votes, clients)), retries: 0 };
  return load.throughPgbench(votes, way === 'pool' ? POOL_SIZE : clients);
}

async function boothIn({ world, template, bearers, pgbench }: Polls, name: string): Promise<VoteLoad> {
  return openVoteLoad({ world, database: await copyOf(template, `votes_${name}`), bearers, pgbench });
}

async function copyOf(template: Database, name: string): Promise<Database> {
  await withClient(renamed(template.superuserUrl, 'postgres'), (client) =>
    client.query(`create database ${name} template ${template.name}`),
  );
  return {
    name,
    superuserUrl: renamed(template.superuserUrl, name),
    urlAs: (login) => renamed(template.urlAs(login), name),
  };
}

function renamed(url: string, database: string): string {
  return new URL(`/${database}`, url).href;
}
