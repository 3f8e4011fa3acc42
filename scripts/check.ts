import { runChecks } from './check/check.ts';
import { withDatabaseChecks } from './check/database-checks.ts';
import { staticChecks } from './check/static-checks.ts';
import { runScript } from './db/run-script.ts';
import { installTools } from './tools.ts';

/** Runs all checks, in two sequences at the same time: CI has two cores. */
runScript(async () => {
  installTools();
  const databaseChecks = withDatabaseChecks(runChecks).catch((error: unknown) =>
    runChecks([{ name: 'databases', run: () => Promise.reject(error) }]),
  );
  const failed = (await Promise.all([runChecks(staticChecks()), databaseChecks])).flat();
  process.stdout.write(failed.length === 0 ? 'all checks passed\n' : `failed: ${failed.join(', ')}\n`);
  if (failed.length > 0) process.exitCode = 1;
});
