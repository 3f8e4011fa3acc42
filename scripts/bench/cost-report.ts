import type { Cost } from './cost.ts';
import { markdownTable } from './markdown.ts';
import type { CostRound } from './measure.ts';
import { median } from './rates.ts';

const HEADINGS = [
  'µs of CPU a request',
  'median',
  'lowest to highest',
  'held against',
  'adds',
  'lowest to highest',
  'target',
];

/** A round in one line. */
export function costLine(round: CostRound): string {
  return [...round].map(([{ title }, cost]) => `${title}: ${Math.round(cost)} µs`).join('; ');
}

/** The costs as a Markdown table, a row for each baseline; what one adds is the median of the rounds' differences. */
export function costTable(costs: readonly Cost[], rounds: readonly CostRound[]): string {
  return markdownTable(
    HEADINGS,
    costs.flatMap((cost) => rowsOf(cost, rounds)),
  );
}

function rowsOf(cost: Cost, rounds: readonly CostRound[]): string[][] {
  const { title, baselines = [], target } = cost;
  const start = [title, ...spreadOf(rounds.map((round) => costIn(round, cost)))];
  if (baselines.length === 0) return [[...start, '', '', '', '']];
  return baselines.map((baseline) => {
    const added = rounds.map((round) => costIn(round, cost) - costIn(round, baseline));
    const verdict = target === undefined ? '' : `${target} ${median(added) < target ? 'met' : 'MISSED'}`;
    return [...start, baseline.title, ...spreadOf(added), verdict];
  });
}

function costIn(round: CostRound, cost: Cost): number {
  return round.get(cost) ?? Number.NaN;
}

/** Their median, and from where to where they go. */
function spreadOf(values: readonly number[]): [string, string] {
  const [middle, lowest, highest] = [median(values), Math.min(...values), Math.max(...values)].map(
    Math.round,
  );
  return [String(middle), `${lowest} to ${highest}`];
}
