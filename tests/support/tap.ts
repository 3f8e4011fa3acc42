import type pg from 'pg';

/**
 * Runs a pgTAP script and resets the session for the next one.
 * @param client a connection as a superuser to a database with pgTAP
 * @param sql the script: `begin`, a `plan`, tests, `finish`, `rollback`
 * @returns what is wrong: tests that are not ok, with their diagnostics, and tests that did not run; none where all is well
 * @throws the error of a statement that fails
 */
export async function runTap(client: pg.Client, sql: string): Promise<string[]> {
  await client.query('set search_path = public, extensions');
  try {
    return problemsOf(outputOf(await client.query(sql)));
  } finally {
    await client.query('rollback');
    // A script that failed leaves its transaction open; prepared statements and session locks outlive any.
    await client.query('discard all');
  }
}

/** A script of several statements answers with one result each, which the types of pg do not say. */
function outputOf(results: pg.QueryResult | pg.QueryResult[]): string[] {
  return [results]
    .flat()
    .flatMap(({ rows }) => rows)
    .flatMap((row) => Object.values(row))
    .filter((value) => typeof value === 'string')
    .flatMap((value) => value.split('\n'));
}

function problemsOf(lines: string[]): string[] {
  const planned = lines.map((line) => /^1\.\.(\d+)$/.exec(line)?.[1]).find((count) => count !== undefined);
  const ran = lines.filter((line) => /^(not )?ok \d+/.test(line)).length;
  const failures = lines.filter((line, index) => /^not ok/.test(line) || isDiagnostic(lines, index));
  if (ran === 0) return [...failures, 'no test ran'];
  if (planned === undefined) return [...failures, 'no plan'];
  if (ran !== Number(planned)) return [...failures, `planned ${planned} tests but ran ${ran}`];
  return failures;
}

/** Whether a line explains a test that is not ok, and not one that only says something. */
function isDiagnostic(lines: string[], index: number): boolean {
  const test = lines.slice(0, index).findLast((line) => !line.startsWith('#'));
  return lines[index]?.startsWith('#') === true && test?.startsWith('not ok') === true;
}
