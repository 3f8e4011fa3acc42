/**
 * Runs the main function of a script: its error becomes one message and exit code 1, and a signal ends the process by
 * its exit handlers, which remove what the script started.
 */
export function runScript(main: () => Promise<void>): void {
  // Not once: npm passes on what the terminal sends to everybody, and the second would end it amid its exit handlers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  main().catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}

/** Where a name has several addresses and none answers, the error of Node has a message for each, and none of its own. */
function messageOf(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  return error instanceof Error ? error.message : error;
}
