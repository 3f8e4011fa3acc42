import { type Result, type Round, ratioOf } from './compare.ts';
import type { Comparison } from './comparison.ts';

const HEADINGS = [
  'API',
  'pgbench',
  'ratio',
  '(lowest-highest)',
  'target',
  '',
  'pgbench -M prepared',
  'retries API / pgbench',
];

/** A round in one line. */
export function roundLine(comparison: Comparison, round: Round): string {
  return `${comparison.title}: API ${perSecond(round.api)}, pgbench ${perSecond(round.pgbench)}, ratio ${ratioOf(round).toFixed(2)}`;
}

/** The results as a table, with a line that says what its numbers are. */
export function table(results: ReadonlyMap<Comparison, Result>): string {
  const rows = [['', ...HEADINGS], ...[...results].map(([comparison, result]) => rowOf(comparison, result))];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

function rowOf({ title, target }: Comparison, result: Result): string[] {
  return [
    title,
    perSecond(result.api),
    perSecond(result.pgbench),
    result.ratio.toFixed(2),
    `(${result.lowestRatio.toFixed(2)}-${result.highestRatio.toFixed(2)})`,
    target === undefined ? 'none' : `>= ${target.toFixed(2)}`,
    target === undefined ? '' : result.ratio >= target ? 'met' : 'MISSED',
    perSecond(result.prepared),
    `${result.apiRetries} / ${result.pgbenchRetries}`,
  ];
}

function perSecond(rate: number): string {
  return `${Math.round(rate)}/s`;
}
