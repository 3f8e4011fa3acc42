import type { Growth, Pair, Times } from './hub-growth.ts';
import { markdownTable } from './markdown.ts';
import { median } from './rates.ts';

const TARGET = 2;

/** How much longer requests take with a hundred times the data, as a Markdown table. */
export function growthTable(growths: readonly Growth[], times: ReadonlyMap<Pair, Times>): string {
  return markdownTable(
    ['milliseconds a request in Postgres', 'all', 'a hundredth', 'ratio', 'lowest to highest', 'target'],
    growths.flatMap((growth) => rowsOf(growth, times)),
  );
}

function rowsOf({ title, pairs }: Growth, times: ReadonlyMap<Pair, Times>): string[][] {
  const timesOf = (pair: Pair): Times => times.get(pair) ?? { full: [], hundredth: [] };
  const parts = pairs.length > 1 ? pairs.map((pair) => cellsOf(pair.title, timesOf(pair))) : [];
  const together = pooled(pairs.map(timesOf));
  const verdict = `${TARGET.toFixed(2)} ${ratioOf(together) <= TARGET ? 'met' : 'MISSED'}`;
  return [...parts.map((cells) => [...cells, '']), [...cellsOf(title, together), verdict]];
}

function cellsOf(title: string, times: Times): string[] {
  const ratios = times.full.map((full, round) => median(full) / median(times.hundredth[round] ?? []));
  return [
    title,
    ...[times.full, times.hundredth].map((rounds) => median(rounds.flat()).toFixed(2)),
    ratioOf(times).toFixed(2),
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
  ];
}

function ratioOf({ full, hundredth }: Times): number {
  return median(full.flat()) / median(hundredth.flat());
}

/** The times of all of them in each round. */
function pooled([first, ...others]: readonly Times[]): Times {
  const add = (rounds: readonly number[][], more: readonly number[][]) =>
    rounds.map((times, round) => [...times, ...(more[round] ?? [])]);
  return others.reduce<Times>(
    (sum, times) => ({ full: add(sum.full, times.full), hundredth: add(sum.hundredth, times.hundredth) }),
    first ?? { full: [], hundredth: [] },
  );
}
