/** One thing that `npm run check` holds the repository against. */
export type Check = {
  name: string;
  /** What is wrong, for people to read; empty where all is well. An error counts as wrong too. */
  run(): Promise<string>;
};

/**
 * Runs checks one after the other and prints a line for each, with what is wrong below it.
 * @returns the names of those that failed
 */
export async function runInTurn(checks: Check[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks) {
    const start = performance.now();
    const problem = await run().catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    if (problem !== '') failed.push(name);
    process.stdout.write(`${problem === '' ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)\n`);
    if (problem !== '') process.stdout.write(`${problem.replaceAll(/^/gm, '      ')}\n`);
  }
  return failed;
}
