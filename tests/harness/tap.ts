import type pg from 'pg';
import { withClient } from '../../scripts/local/connection.ts';

/**
 * Runs a pgTAP script in a transaction that is rolled back.
 * @param url connection URL of a superuser of a database with pgTAP
 * @param sql the script: a `plan`, tests, and `finish`
 * @returns what is wrong: tests that are not ok, with their diagnostics, and tests that did not run; none where all is well
 * @throws the error of a statement that fails
 */
export async function runTap(url: string, sql: string): Promise<string[]> {
  const lines = await withClient(url, async (client) => {
    await client.query('set search_path = public, extensions');
    await client.query('begin');
    const lines = outputOf(await client.query(sql));
    await client.query('rollback');
    return lines;
  });
  return problemsOf(lines);
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
