import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Comparison } from './comparison.ts';
import { rateOf } from './rates.ts';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const MAX_TRIES = 8;

/**
 * Finds pgbench: Debian's newest, else the one on the PATH.
 * @throws Error naming the package to install where there is none
 */
export function findPgbench(): string {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => `${DEBIAN_POSTGRES}/${version}/bin`),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  const found = folders.map((folder) => path.join(folder, 'pgbench')).find(isProgram);
  if (found) return found;
  throw new Error(
    'pgbench is missing: install the Debian package "postgresql" (apt-get install postgresql).',
  );
}

/** Debian's client packages have a wrapper of that name which finds no program behind it. */
function isProgram(file: string): boolean {
  return existsSync(file) && path.basename(realpathSync(file)) !== 'pg_wrapper';
}

/** A run of pgbench. */
export interface PgbenchRun {
  readonly program: string;
  /** A folder for its files. */
  readonly directory: string;
  /** Connection URL of the comparison's login. */
  readonly url: string;
  readonly connections: number;
  readonly protocol: 'extended' | 'prepared';
  /** The first number of the block. */
  readonly first: number;
}

/**
 * Lets pgbench make a block of requests.
 * @returns requests a second, and how many transactions it ran again
 * @throws Error with what pgbench wrote where a request fails
 */
export async function runPgbench(
  comparison: Comparison,
  run: PgbenchRun,
): Promise<{ rate: number; retries: number }> {
  const script = path.join(run.directory, 'script.sql');
  writeFileSync(
    script,
    `\\set i :i + 1\n\\set n :first + :i * :connections + :client_id\n${comparison.sql}\n`,
  );
  const url = new URL(run.url);
  const output = await capture(
    run.program,
    [
      ...['--host', url.hostname, '--port', url.port, '--username', url.username],
      ...['--no-vacuum', '--file', script, '--protocol', run.protocol, '--max-tries', String(MAX_TRIES)],
      ...['--client', String(run.connections), '--jobs', '1'],
      ...['--transactions', String(comparison.count / run.connections)],
      ...['--define', 'i=-1', '--define', `first=${run.first}`, '--define', `connections=${run.connections}`],
      ...['--log', '--log-prefix', path.join(run.directory, 'transactions')],
      url.pathname.slice(1),
    ],
    url.password,
  );
  if (!/^number of failed transactions: 0 /m.test(output)) throw failure(output);
  const log = readdirSync(run.directory).filter((name) => name.startsWith('transactions'));
  const finished = log.flatMap((name) => completionsOf(path.join(run.directory, name)));
  for (const name of log) rmSync(path.join(run.directory, name));
  return {
    rate: rateOf(finished),
    retries: Number(/^total number of retries: (\d+)/m.exec(output)?.[1]),
  };
}

/** When each transaction of a log ended, in seconds: its fields 5 and 6. */
function completionsOf(file: string): number[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, , , , seconds, microseconds] = line.split(' ').map(Number);
    return (seconds ?? 0) + (microseconds ?? 0) / 1e6;
  });
}

function capture(program: string, args: string[], password: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, PGPASSWORD: decodeURIComponent(password) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => (code === 0 ? resolve(output) : reject(failure(output))));
  });
}

/** Its first complaint is enough: each of its connections has the same. */
function failure(output: string): Error {
  return new Error(`pgbench failed: ${/^pgbench: error: .*/m.exec(output)?.[0] ?? output}`);
}
