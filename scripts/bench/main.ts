import { runScript } from '../db/run-script.ts';
import { compare, type Result } from './compare.ts';
import type { Comparison, Scenario } from './comparison.ts';
import { findPgbench } from './pgbench.ts';
import { read } from './read.ts';
import { roundLine, table } from './report.ts';
import { vote } from './vote.ts';
import { startWorld } from './world.ts';

const SCENARIOS: readonly Scenario[] = [read, vote];

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown !== undefined) {
    throw new Error(`no scenario "${unknown}": there are ${SCENARIOS.map(({ name }) => name).join(', ')}`);
  }
  const picked = SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
  const pgbench = findPgbench();
  await using world = await startWorld();
  const results = new Map<Comparison, Result>();
  for (const comparison of picked.flatMap(({ comparisons }) => comparisons)) {
    const result = await compare(world, pgbench, comparison, (round) => print(roundLine(comparison, round)));
    results.set(comparison, result);
  }
  print(`\n${table(results)}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

runScript(() => main(process.argv.slice(2)));
