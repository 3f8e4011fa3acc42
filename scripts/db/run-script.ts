/**
 * Runs the main function of a script. An error becomes one message and exit code 1. A signal ends the process by its
 * exit handlers, which clean up.
 */
export function runScript(main: () => Promise<void>): void {
  // Not once: npm forwards a Ctrl-C that the script has already received, and the second signal would end the process amid its exit handlers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  main().catch((error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  });
}

/** Returns the messages of an error: a failed connection to a name with several addresses has one per address and no own. */
function messageOf(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('\n');
  return error instanceof Error ? error.message : error;
}
