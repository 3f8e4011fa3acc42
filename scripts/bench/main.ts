import { runScript } from '../db/run-script.ts';
import { compare, type Result } from './compare.ts';
import type { Comparison, Scenario } from './comparison.ts';
import type { CostScenario } from './cost.ts';
import { costLine, costTable } from './cost-report.ts';
import { feeds } from './feeds.ts';
import { functions } from './functions.ts';
import { timeGrowth } from './hub-growth.ts';
import { growthTable } from './hub-growth-report.ts';
import { hubs } from './hubs.ts';
import { identity } from './identity.ts';
import { type LatencyScenario, timeRequests } from './latency.ts';
import { latencyTable } from './latency-report.ts';
import { checkLookUp } from './look-up.ts';
import { measure } from './measure.ts';
import { notifications } from './notif.ts';
import { findPgbench } from './pgbench.ts';
import { profile } from './profile.ts';
import { read } from './read.ts';
import { roundLine, table } from './report.ts';
import { search } from './search.ts';
import { streams } from './stream.ts';
import { vote } from './vote.ts';
import { votes } from './votes.ts';
import { startWorld, type World } from './world.ts';

const RATES: readonly Scenario[] = [read, profile, vote];
const COSTS: readonly CostScenario[] = [identity];
const LATENCIES: readonly LatencyScenario[] = [search];
const GROWTHS = [hubs];
const FEEDS = [feeds];
const TELLING = [notifications, streams, functions];
const VOTES = [votes];

async function main(names: readonly string[]): Promise<void> {
  const known = [...RATES, ...COSTS, ...LATENCIES, ...GROWTHS, ...FEEDS, ...VOTES, ...TELLING].map(
    ({ name }) => name,
  );
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no scenario "${unknown}": there are ${known.join(', ')}`);
  const isPicked = ({ name }: { name: string }) => names.length === 0 || names.includes(name);
  const comparisons = RATES.filter(isPicked).flatMap((scenario) => scenario.comparisons);
  const growths = GROWTHS.filter(isPicked);
  const voting = VOTES.filter(isPicked);
  const pgbench = comparisons.length + growths.length + voting.length > 0 ? findPgbench() : null;
  await using world = await startWorld();
  if (pgbench !== null && comparisons.length > 0) await compareRates(world, pgbench, comparisons);
  if (pgbench !== null) for (const scenario of growths) await measureGrowth(world, pgbench, scenario);
  if (pgbench !== null) for (const scenario of voting) await scenario.measure(world, pgbench, print);
  for (const scenario of COSTS.filter(isPicked)) await measureCosts(world, scenario);
  for (const scenario of LATENCIES.filter(isPicked)) await measureLatencies(world, scenario);
  for (const scenario of [...FEEDS, ...TELLING].filter(isPicked)) await scenario.measure(world, print);
}

async function compareRates(
  world: World,
  pgbench: string,
  comparisons: readonly Comparison[],
): Promise<void> {
  const results = new Map<Comparison, Result>();
  for (const comparison of comparisons) {
    const result = await compare(world, pgbench, comparison, (round) => print(roundLine(comparison, round)));
    results.set(comparison, result);
  }
  print(`\n${table(results)}\n`);
}

async function measureGrowth(world: World, pgbench: string, scenario: typeof hubs): Promise<void> {
  const { full, hundredth, growths, comparisons } = await scenario.prepare(world);
  const pairs = growths.flatMap((growth) => growth.pairs);
  const onRound = (number: number) => print(`${scenario.name}: round ${number}`);
  const times = await timeGrowth({ full, hundredth }, pairs, onRound);
  print(`\n${growthTable(growths, times)}\n`);
  // They read, so that one database serves them all.
  await compareRates({ ...world, createDatabase: async () => full }, pgbench, comparisons);
}

async function measureCosts(world: World, { costs, lookUp }: CostScenario): Promise<void> {
  const database = await world.createDatabase();
  const finding = await checkLookUp(world, database, lookUp);
  const rounds = await measure(world, database, costs, (round) => print(costLine(round)));
  print(`\n${costTable(costs, rounds)}\n\n${finding}`);
}

async function measureLatencies(world: World, scenario: LatencyScenario): Promise<void> {
  const database = await world.createDatabase();
  const everybody = await scenario.prepare(database);
  const onRound = (number: number) => print(`${scenario.name}: round ${number}`);
  const results = await timeRequests(world, database, everybody, onRound);
  for (const [clients, times] of results) print(`\n${latencyTable(clients, times)}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

runScript(() => main(process.argv.slice(2)));
