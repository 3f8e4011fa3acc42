const ROUNDS = 7;
const COUNT = 20;

/** Something whose time is measured. */
export interface Timed {
  readonly title: string;
  run(): Promise<unknown>;
}

/** How long something took in each round: milliseconds. */
export type FeedTimes = ReadonlyMap<Timed, readonly (readonly number[])[]>;

/**
 * Times the members of each group in turn, again and again, so that whatever else the machine does meanwhile meets all
 * of them. The first round does not count: it fills the caches of the connections.
 * @param onRound told of each round that counts
 */
export async function timeInTurn(
  groups: readonly (readonly Timed[])[],
  onRound: (number: number) => void,
): Promise<FeedTimes> {
  const results = new Map(groups.flat().map((timed) => [timed, [] as number[][]]));
  for (let number = 0; number <= ROUNDS; number += 1) {
    for (const group of groups) {
      for (const timed of group) results.get(timed)?.push([]);
      for (let n = 0; n < COUNT; n += 1) {
        for (const timed of group)
          results
            .get(timed)
            ?.at(-1)
            ?.push(await timeOf(timed));
      }
    }
    if (number > 0) onRound(number);
  }
  return new Map([...results].map(([timed, times]) => [timed, times.slice(1)]));
}

async function timeOf({ run }: Timed): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}
