import { runScript } from '../db/run-script.ts';
import { compare, type Result } from './compare.ts';
import type { Comparison, Scenario } from './comparison.ts';
import type { CostScenario } from './cost.ts';
import { costLine, costTable } from './cost-report.ts';
import { identity } from './identity.ts';
import { checkLookUp } from './look-up.ts';
import { measure } from './measure.ts';
import { findPgbench } from './pgbench.ts';
import { read } from './read.ts';
import { roundLine, table } from './report.ts';
import { vote } from './vote.ts';
import { startWorld, type World } from './world.ts';

const RATES: readonly Scenario[] = [read, vote];
const COSTS: readonly CostScenario[] = [identity];

async function main(names: readonly string[]): Promise<void> {
  const known = [...RATES, ...COSTS].map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no scenario "${unknown}": there are ${known.join(', ')}`);
  const isPicked = ({ name }: { name: string }) => names.length === 0 || names.includes(name);
  const comparisons = RATES.filter(isPicked).flatMap((scenario) => scenario.comparisons);
  const pgbench = comparisons.length > 0 ? findPgbench() : null;
  await using world = await startWorld();
  if (pgbench !== null) await compareRates(world, pgbench, comparisons);
  for (const scenario of COSTS.filter(isPicked)) await measureCosts(world, scenario);
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

async function measureCosts(world: World, { costs, lookUp }: CostScenario): Promise<void> {
  const database = await world.createDatabase();
  const finding = await checkLookUp(world, database, lookUp);
  const rounds = await measure(world, database, costs, (round) => print(costLine(round)));
  print(`\n${costTable(costs, rounds)}\n\n${finding}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

runScript(() => main(process.argv.slice(2)));
