import { runInTurn } from './check/check.ts';
import { withDatabaseChecks } from './check/database-checks.ts';
import { staticChecks } from './check/static-checks.ts';
import { runScript } from './db/run-script.ts';

async function main(): Promise<void> {
  // Two lanes, as CI has two cores.
  const results = await Promise.all([runInTurn(staticChecks()), databaseLane()]);
  const failed = results.flat();
  process.stdout.write(failed.length === 0 ? 'all checks passed\n' : `failed: ${failed.join(', ')}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

/** The checks on databases, or one failed check where these cannot be made. */
function databaseLane(): Promise<string[]> {
  return withDatabaseChecks(runInTurn).catch((error: unknown) =>
    runInTurn([{ name: 'databases', run: () => Promise.reject(error) }]),
  );
}

runScript(main);
