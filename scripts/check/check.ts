/** A check of `npm run check`. */
export type Check = {
  name: string;
  /** Returns the problems for people to read, empty if there are none. An error counts as a problem too. */
  run(): Promise<string>;
};

/**
 * Runs checks one after the other, and prints a line for each with its problems below.
 * @returns the names of the failed checks
 */
export async function runChecks(checks: Check[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks) {
    const start = performance.now();
    const problem = await run().catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    process.stdout.write(`${problem === '' ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)\n`);
    if (problem === '') continue;
    failed.push(name);
    process.stdout.write(`${problem.replaceAll(/^/gm, '      ')}\n`);
  }
  return failed;
}
