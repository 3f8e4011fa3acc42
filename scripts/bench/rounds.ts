// pgbench connects anew for each block, and new backends fill their caches first.
const WARM_UP = 0.2;

/** Something that is measured once or several times in each round. */
export interface Variant {
  readonly title: string;
  /**
   * @param n the number of the pass, counted over all rounds from 0
   * @returns one sample or several
   */
  measure(n: number): Promise<number | readonly number[]>;
}

/** Returns a variant whose sample is the time of a function in milliseconds. */
export function timed(title: string, run: (n: number) => Promise<unknown>): Variant {
  return {
    title,
    measure: async (n) => {
      const began = performance.now();
      await run(n);
      return performance.now() - began;
    },
  };
}

/** The samples of each counted round. */
export type Samples = readonly (readonly number[])[];

/** The samples of variants. */
export type Results = (variant: Variant) => Samples;

/** Options of `measureRounds`. */
export interface Rounds {
  /** What progress lines begin with. */
  readonly name: string;
  /** Counted rounds. */
  readonly rounds: number;
  /** Rounds before them that do not count; by default 1. */
  readonly warmUps?: number;
  /** How often each variant is measured in a round; by default once. */
  readonly passes?: number;
  /** Whether every second round reverses the order within groups. */
  readonly alternates?: boolean;
  /** Runs after the warm-up. */
  readonly afterWarmUp?: () => Promise<void>;
}

/**
 * Measures variants in rounds. In a round the groups follow each other, and in each pass the variants of a group take
 * turns, so that other load on the machine affects all of them.
 */
export async function measureRounds(
  groups: readonly (readonly Variant[])[],
  { name, rounds, warmUps = 1, passes = 1, alternates = false, afterWarmUp }: Rounds,
): Promise<Results> {
  const results = new Map<Variant, number[][]>(groups.flat().map((variant) => [variant, []]));
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const samples = new Map<Variant, number[]>(groups.flat().map((variant) => [variant, []]));
    for (const group of groups) {
      const order = alternates && round % 2 === 1 ? group.toReversed() : group;
      for (let pass = 0; pass < passes; pass += 1) {
        for (const variant of order) {
          samples.get(variant)?.push(...[await variant.measure(round * passes + pass)].flat());
        }
      }
    }
    if (round === warmUps - 1) await afterWarmUp?.();
    if (round < warmUps) continue;
    for (const [variant, values] of samples) results.get(variant)?.push(values);
    print(progressLine(`${name}, round ${round - warmUps + 1} of ${rounds}`, samples));
  }
  return (variant) => results.get(variant) ?? [];
}

/** Scenarios with many variants print the number of the round only. */
function progressLine(title: string, samples: ReadonlyMap<Variant, readonly number[]>): string {
  if (samples.size > 8) return title;
  const parts = [...samples].map(
    ([variant, values]) => `${variant.title} ${Number(median(values).toPrecision(3))}`,
  );
  return `${title}: ${parts.join('; ')}`;
}

/** A variant, its baseline, and the target of their ratio. */
export type Ratio = readonly [variant: Variant, baseline: Variant, target?: Target | undefined];

/** Returns the variants of ratios, each once. */
export function variantsIn(ratios: readonly Ratio[]): Variant[] {
  return [...new Set(ratios.flatMap((ratio) => [ratio[0], ratio[1]]))];
}

/** Prints a table of ratios: the medians of both sides, the median of the rounds' ratios, and their range. */
export function printRatios(
  { unit, column, digits }: { readonly unit: string; readonly column: string; readonly digits: number },
  ratios: readonly Ratio[],
  resultsOf: Results,
): void {
  printTable(
    [unit, column, 'baseline', column, 'ratio', 'lowest to highest', 'target'],
    ratios.map(([variant, baseline, target]) => {
      const sides = [variant, baseline].flatMap((side) => [
        side.title,
        medianOf(resultsOf(side)).toFixed(digits),
      ]);
      const rounds = byRound(resultsOf(variant), resultsOf(baseline));
      return [...sides, ...ratioCells(median(rounds), rounds, target)];
    }),
  );
}

/** Returns the median of all samples. */
export function medianOf(samples: Samples): number {
  return median(samples.flat());
}

/** Compares the medians of both sides in each round. */
export function byRound(
  samples: Samples,
  baseline: Samples,
  compare: (value: number, baseline: number) => number = (value, base) => value / base,
): number[] {
  return samples.map((values, round) => compare(median(values), median(baseline[round] ?? [])));
}

/**
 * Returns the requests per second of a block, the first fifth not timed.
 * @param finished the ends of the requests in seconds, in any order
 */
export function rateOf(finished: readonly number[]): number {
  const [from = 0, ...timed] = afterWarmUp(finished.toSorted((a, b) => a - b));
  return timed.length / ((timed.at(-1) ?? 0) - from);
}

/** Returns a block without its first fifth. */
export function afterWarmUp<T>(block: readonly T[]): T[] {
  return block.slice(Math.floor(block.length * WARM_UP));
}

/** Returns the middle value of an odd number of values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the lowest value that is not exceeded by a share of all values. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(Math.ceil(values.length * share) - 1, 0)] ?? Number.NaN;
}

/** The bound of a figure. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** Writes a line to the terminal. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a table in Markdown. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, headings.map(() => '---'), ...rows];
  print(`\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`);
}

/** Returns the cell of a target: its bound and whether a value meets it. */
export function verdict(
  value: number,
  target: Target | undefined,
  format: (bound: number) => string,
): string {
  if (target === undefined) return '';
  const [bound, isMet] =
    'atLeast' in target ? [target.atLeast, value >= target.atLeast] : [target.atMost, value <= target.atMost];
  return `${format(bound)} ${isMet ? 'met' : 'MISSED'}`;
}

/** Returns the cell of a range. */
export function span(values: readonly number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}`;
}

/** Returns the cells of a ratio: the ratio, the range of the rounds and the target. */
export function ratioCells(ratio: number, rounds: readonly number[], target?: Target): string[] {
  return [ratio.toFixed(2), span(rounds, 2), verdict(ratio, target, (bound) => bound.toFixed(2))];
}
