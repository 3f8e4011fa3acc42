import { markdownTable } from './markdown.ts';
import { median } from './rates.ts';

const TARGETS = { bare: 0.3, besideSnapshot: 0.9 };

/** How long it took to drain so many rows, each time: seconds. */
export interface Drained {
  readonly rows: number;
  readonly bare: number[];
  readonly alone: number[];
  /** While another session held an old snapshot, one after the other. */
  readonly besideSnapshot: number[];
}

/** Something that was measured several times; `atMost`: the median is to be no more. */
export interface Figure {
  readonly title: string;
  readonly values: readonly number[];
  readonly digits?: number;
  readonly atMost?: number;
}

const DRAIN_HEADINGS = [
  'outbox rows a second',
  'rate',
  'held against',
  'rate',
  'ratio',
  'lowest to highest',
  'target',
];

/** How fast the outbox is drained, held against a bare queue and, beside an old snapshot, against itself. */
export function drainTable({ rows, bare, alone, besideSnapshot }: Drained): string {
  const rateOf = (seconds: readonly number[]) =>
    (rows * seconds.length) / seconds.reduce((sum, time) => sum + time, 0);
  const rate = (seconds: readonly number[]) => String(Math.round(rateOf(seconds)));
  const byBare = alone.map((seconds, round) => (bare[round] ?? Number.NaN) / seconds);
  const byItself = besideSnapshot.map((seconds) => rows / seconds / rateOf(alone));
  const judged = (ratio: number, ratios: readonly number[], target: number) => [
    ...[ratio.toFixed(2), span(ratios, 2)],
    `${target.toFixed(2)} ${ratio >= target ? 'met' : 'MISSED'}`,
  ];
  return markdownTable(DRAIN_HEADINGS, [
    [
      ...['told and pushed', rate(alone), 'a bare queue', rate(bare)],
      ...judged(median(byBare), byBare, TARGETS.bare),
    ],
    [
      ...['told and pushed, beside an old snapshot', rate(besideSnapshot), 'without it', rate(alone)],
      ...judged(rateOf(besideSnapshot) / rateOf(alone), byItself, TARGETS.besideSnapshot),
    ],
  ]);
}

/** What has nothing to be held against. */
export function figuresTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ title, values, digits = 1, atMost }) => {
    const verdict = atMost === undefined ? '' : `${atMost} ${median(values) <= atMost ? 'met' : 'MISSED'}`;
    return [title, median(values).toFixed(digits), span(values, digits), verdict];
  });
  return markdownTable(['what', 'median', 'lowest to highest', 'target'], rows);
}

function span(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}
