import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { SUPABASE_DIRECTORY } from '../../scripts/db/paths.ts';
import { withClient } from '../../scripts/local/connection.ts';
import { TOOLS } from '../../scripts/tools.ts';

const PACKAGE = path.join(TOOLS, 'node_modules/@electric-sql/pglite-pgtap/dist/pgtap.tar.gz');
const BLOCK = 512;
const SCRIPT = /\/pgtap--\d+\.\d+\.\d+\.sql$/;

/**
 * Installs pgTAP in schema `extensions` of a database, and the helpers of supabase/tests.
 * @param superuserUrl the superuser's connection URL
 */
export function installPgtap(superuserUrl: string): Promise<void> {
  return withClient(superuserUrl, async (client) => {
    await client.query(readPgtap());
    await client.query(`set search_path = public, extensions;\n${readHelpers()}`);
  });
}

/** Reads pgTAP from its npm package, as the embedded Postgres cannot install extensions. */
function readPgtap(): string {
  const archive = gunzipSync(readFileSync(PACKAGE));
  const script = tarEntry(archive, SCRIPT).replace(/^\\.*$/gm, '');
  // Tests of every role report to pgTAP.
  return `grant usage on schema extensions to public;\nset search_path = extensions;\n${script}`;
}

/** Reads the helpers in file order. */
function readHelpers(): string {
  const directory = path.join(SUPABASE_DIRECTORY, 'tests/_helpers');
  const files = readdirSync(directory).sort();
  return files.map((file) => readFileSync(path.join(directory, file), 'utf8')).join('\n');
}

function tarEntry(archive: Buffer, name: RegExp): string {
  for (let at = 0; at < archive.length; ) {
    const entry = field(archive, at, 100);
    const size = Number.parseInt(field(archive, at + 124, 12), 8) || 0;
    if (name.test(entry)) return archive.toString('utf8', at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error('The package of pgTAP has no script of that name.');
}

function field(archive: Buffer, from: number, length: number): string {
  return archive.toString('latin1', from, from + length).split('\0', 1)[0] ?? '';
}

/**
 * Runs a pgTAP script and resets the session.
 * @param client a superuser connection to a database with pgTAP
 * @param sql the script: `begin`, a `plan`, tests, `finish`, `rollback`
 * @returns failures with diagnostics, and tests that did not run
 * @throws the error of a failing statement
 */
export async function runTap(client: pg.Client, sql: string): Promise<string[]> {
  await client.query('set search_path = public, extensions');
  try {
    return problemsOf(outputOf(await client.query(sql)));
  } finally {
    await client.query('rollback');
    // A failed script leaves its transaction open; prepared statements and session locks survive a rollback.
    await client.query('discard all');
  }
}

/** Several statements yield one result each, contrary to pg's types. */
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

/** Whether a comment line explains a failed test. */
function isDiagnostic(lines: string[], index: number): boolean {
  const test = lines.slice(0, index).findLast((line) => !line.startsWith('#'));
  return lines[index]?.startsWith('#') === true && test?.startsWith('not ok') === true;
}
