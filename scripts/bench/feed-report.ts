import type { FeedTimes, Timed } from './feed-times.ts';
import { markdownTable } from './markdown.ts';
import { median } from './rates.ts';

/** Something held against something else of the same run. */
export interface Held {
  readonly timed: Timed;
  readonly against: Timed;
  /** The most times as long that it shall take; none: shown for information. */
  readonly target?: number;
}

const HEADINGS = [
  'milliseconds in Postgres',
  'median',
  'held against',
  'median',
  'ratio',
  'lowest to highest',
  'target',
];

/** What took how many times as long as something else, as a Markdown table. */
export function heldTable(all: readonly Held[], times: FeedTimes): string {
  return markdownTable(
    HEADINGS,
    all.map(({ timed, against, target }) => {
      const [rounds, others] = [roundsOf(timed, times), roundsOf(against, times)];
      const ratios = rounds.map((round, n) => median(round) / median(others[n] ?? []));
      const ratio = median(ratios);
      return [
        ...[timed.title, medianOf(timed, times), against.title, medianOf(against, times), ratio.toFixed(2)],
        `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
        target === undefined ? '' : `${target.toFixed(2)} ${ratio <= target ? 'met' : 'MISSED'}`,
      ];
    }),
  );
}

/** What has nothing to be held against. */
export function figuresTable(all: readonly Timed[], times: FeedTimes): string {
  return markdownTable(
    HEADINGS.slice(0, 2),
    all.map((timed) => [timed.title, medianOf(timed, times)]),
  );
}

function medianOf(timed: Timed, times: FeedTimes): string {
  return median(roundsOf(timed, times).flat()).toFixed(2);
}

function roundsOf(timed: Timed, times: FeedTimes): readonly (readonly number[])[] {
  return times.get(timed) ?? [];
}
