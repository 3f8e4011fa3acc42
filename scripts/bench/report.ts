import { type Result, type Round, ratioOf } from './compare.ts';
import type { Comparison } from './comparison.ts';
import { markdownTable } from './markdown.ts';

const HEADINGS = [
  'requests a second',
  'API',
  'pgbench',
  'ratio',
  'lowest to highest',
  'target',
  'pgbench -M prepared',
  'run again: API, pgbench',
];

/** A round in one line. */
export function roundLine(comparison: Comparison, round: Round): string {
  return `${comparison.title}: API ${perSecond(round.api)}/s, pgbench ${perSecond(round.pgbench)}/s, ratio ${ratioOf(round).toFixed(2)}`;
}

/** The results as a Markdown table. */
export function table(results: ReadonlyMap<Comparison, Result>): string {
  return markdownTable(
    HEADINGS,
    [...results].map(([comparison, result]) => rowOf(comparison, result)),
  );
}

function rowOf({ title, target }: Comparison, result: Result): string[] {
  return [
    title,
    perSecond(result.api),
    perSecond(result.pgbench),
    result.ratio.toFixed(2),
    `${result.lowestRatio.toFixed(2)} to ${result.highestRatio.toFixed(2)}`,
    target === undefined ? '' : `${target.toFixed(2)} ${result.ratio >= target ? 'met' : 'MISSED'}`,
    perSecond(result.prepared),
    `${result.apiRetries}, ${result.pgbenchRetries}`,
  ];
}

function perSecond(rate: number): string {
  return String(Math.round(rate));
}
