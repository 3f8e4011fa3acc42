import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from '../run-program.ts';
import { POOL_SIZE, startApi } from './api.ts';
import type { Comparison } from './requests.ts';
import { byRound, measureRounds, median, medianOf, printTable, rateOf, ratioCells } from './rounds.ts';
import { type Database, onceAlone, type World } from './world.ts';

const ROUNDS = 7;

const RATE_HEADINGS = ['requests a second', 'API', 'pgbench', 'ratio', 'lowest to highest', 'target'];
const INFORMATION = ['pgbench -M prepared', 'run again: API, pgbench'];

/** How pgbench sends a block. The API's SQL is not prepared, because a pooler in transaction mode may not support it. */
interface PgbenchOptions {
  /** By default as many as the API's pool. */
  readonly connections?: number;
  readonly protocol?: 'extended' | 'prepared';
}

/** Both ways to send blocks of requests to one database. */
export type Sides = Awaited<ReturnType<typeof openSides>>;

/** Starts an API on a database. @param program the path of pgbench */
export async function openSides(world: World, database: Database, program: string) {
  const { directory } = world;
  const api = await startApi(world, database);
  let used = 0;
  const takeBlock = ({ count }: Comparison) => {
    const first = used;
    // Half of it is spare: pgbench takes the next number when it retries.
    used += 2 * count;
    return first;
  };
  return {
    /** Returns requests per second. */
    throughApi: (comparison: Comparison, connections?: number) =>
      api.rate(comparison, takeBlock(comparison), connections),
    /** Returns requests per second, and retried transactions. */
    throughPgbench: (
      comparison: Comparison,
      { connections = POOL_SIZE, protocol = 'extended' }: PgbenchOptions = {},
    ) => {
      const url = database.urlAs(comparison.login);
      const first = takeBlock(comparison);
      return runPgbench(comparison, { program, directory, url, connections, protocol, first });
    },
    /** Stops the API. Returns the transactions that both ways retried after a lost serialization race. */
    close: async () => {
      await api[Symbol.asyncDispose]();
      return onceAlone(database, async (client) => {
        const { rows } = await client.query<{ rollbacks: string }>(
          'select d.xact_rollback as rollbacks from pg_stat_database as d where d.datname = $1',
          [database.name],
        );
        return Number(rows[0]?.rollbacks);
      });
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/**
 * Compares the API with pgbench and prints a table.
 * @param program the path of pgbench
 * @param shared the database of all comparisons, if they only read; by default each has its own
 */
export async function compareRates(
  world: World,
  program: string,
  comparisons: readonly Comparison[],
  shared?: Database,
): Promise<void> {
  const rows: string[][] = [];
  for (const comparison of comparisons) {
    const database = shared ?? (await world.createDatabase());
    rows.push(await compare(comparison, await openSides(world, database, program)));
  }
  printTable([...RATE_HEADINGS, ...INFORMATION], rows);
}

async function compare(comparison: Comparison, opened: Sides): Promise<string[]> {
  await using sides = opened;
  let pgbenchRetries = 0;
  const byPgbench = (title: string, protocol: 'extended' | 'prepared') => ({
    title,
    measure: async () => {
      const { rate, retries } = await sides.throughPgbench(comparison, { protocol });
      pgbenchRetries += retries;
      return rate;
    },
  });
  const api = { title: 'API', measure: () => sides.throughApi(comparison) };
  const pgbench = byPgbench('pgbench', 'extended');
  const prepared = byPgbench('pgbench -M prepared', 'prepared');
  const resultsOf = await measureRounds([[api, pgbench, prepared]], {
    name: comparison.title,
    rounds: ROUNDS,
  });
  const ratios = byRound(resultsOf(api), resultsOf(pgbench));
  const retries = await sides.close();
  const rate = (variant: typeof api) => medianOf(resultsOf(variant)).toFixed(0);
  return [
    ...[comparison.title, rate(api), rate(pgbench)],
    ...ratioCells(median(ratios), ratios, comparison.target),
    rate(prepared),
    `${retries - pgbenchRetries}, ${pgbenchRetries}`,
  ];
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const MAX_TRIES = 8;

/**
 * Finds Debian's newest pgbench, else the one on the PATH.
 * @throws Error naming the package to install if there is none
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

/** Debian's client packages install a wrapper with this name but not the program. */
function isProgram(file: string): boolean {
  return existsSync(file) && path.basename(realpathSync(file)) !== 'pg_wrapper';
}

/** A block of pgbench. */
interface PgbenchBlock {
  readonly program: string;
  /** A folder for temporary files. */
  readonly directory: string;
  /** Connection URL of the comparison's login. */
  readonly url: string;
  readonly connections: number;
  readonly protocol: 'extended' | 'prepared';
  /** The first number of the block. */
  readonly first: number;
}

/**
 * Runs a block of requests under pgbench.
 * @returns transactions per second, and the number of retries
 * @throws Error with the output of pgbench if a transaction fails
 */
async function runPgbench(
  comparison: Comparison,
  block: PgbenchBlock,
): Promise<{ rate: number; retries: number }> {
  const { directory, connections, protocol, first } = block;
  const script = path.join(directory, 'script.sql');
  const numbers = `\\set i :i + 1\n\\set n :first + :i * :connections + :client_id`;
  writeFileSync(script, `${numbers}\n${comparison.sql}\n`);
  const url = new URL(block.url);
  const args = [
    ...['--host', url.hostname, '--port', url.port, '--username', url.username],
    ...['--no-vacuum', '--file', script, '--protocol', protocol, '--max-tries', String(MAX_TRIES)],
    ...['--client', String(connections), '--jobs', '1'],
    ...['--transactions', String(comparison.count / connections)],
    ...['--define', 'i=-1', '--define', `first=${first}`, '--define', `connections=${connections}`],
    ...['--log', '--log-prefix', path.join(directory, 'transactions')],
    url.pathname.slice(1),
  ];
  const env = { ...process.env, PGPASSWORD: decodeURIComponent(url.password) };
  const { code, stdout, stderr } = await runProgram(block.program, args, { env });
  if (code !== 0 || !/^number of failed transactions: 0 /m.test(stdout)) {
    // The other connections report the same error.
    throw new Error(`pgbench failed: ${/^pgbench: error: .*/m.exec(stderr)?.[0] ?? stdout + stderr}`);
  }
  const logs = readdirSync(directory).filter((name) => name.startsWith('transactions'));
  const finished = logs.flatMap((name) => completionsOf(path.join(directory, name)));
  for (const name of logs) rmSync(path.join(directory, name));
  const [, retries] = /^total number of retries: (\d+)/m.exec(stdout) ?? [];
  return { rate: rateOf(finished), retries: Number(retries) };
}

/** Returns the end of each transaction in a log, in seconds: its fields 5 and 6. */
function completionsOf(file: string): number[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, , , , seconds, microseconds] = line.split(' ').map(Number);
    return (seconds ?? 0) + (microseconds ?? 0) / 1e6;
  });
}
