/**
 * Runs the main function of a script: its error becomes one message and exit code 1, and a signal ends the process by
 * its exit handlers, which remove what the script started.
 */
export function runScript(main: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  });
}
