import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from '../src/config.ts';
import { dumpDatabase, SCHEMAS_WITH_ROWS } from './db/backup.ts';
import { ROOT, SUPABASE_DIRECTORY } from './db/paths.ts';
import { dumpOf, RELEASES, readReleases, unreleasedMigrations } from './db/releases.ts';
import { runScript } from './db/run-script.ts';
import { withClient } from './local/connection.ts';
import { freePort } from './local/ports.ts';
import { startStack } from './local/stack.ts';
import type { StackDescription } from './local/state.ts';
import { fill, leaveWork, RELEASE_SECRETS } from './release/world.ts';

const POLL_MS = 200;

const PACKAGES = ['package.json', 'clients/typescript/package.json', 'clients/web/package.json'];

/** Tables that a release need not fill: the worker's notes, and what no operation of a day writes. */
const MAY_BE_EMPTY = [
  'app.dead_letters',
  'app.fan_outs',
  'app.held_votes',
  'app.milestones',
  'app.push_leases',
  'app.pushes',
  'app.sign_in_places',
  'app.task_runs',
  'staff.logins',
  'staff.sessions',
];

/**
 * Releases the version of package.json: its migrations are never changed again, and a dump of a database with every kind of
 * row stays for tests of later migrations.
 */
runScript(async () => {
  const version = requireVersion();
  const migrations = unreleasedMigrations();
  await dumpFilled(dumpOf(version));
  const releases = { ...readReleases(), [version]: migrations };
  writeFileSync(path.join(SUPABASE_DIRECTORY, RELEASES), `${JSON.stringify(releases, null, 2)}\n`);
  process.stdout.write(`released ${version}: ${Object.keys(migrations).join(', ') || 'no migrations'}\n`);
});

/** Returns the version of the packages. @throws Error if they differ, it is released, or CHANGELOG.md has no date for it */
function requireVersion(): string {
  const versions = PACKAGES.map((file) => String(JSON.parse(read(file)).version));
  const [version = ''] = versions;
  if (new Set(versions).size > 1)
    throw new Error(`${PACKAGES.join(', ')} have different versions: ${versions}`);
  if (version in readReleases())
    throw new Error(`version ${version} is released: raise it in ${PACKAGES.join(', ')}`);
  const dated = /^## \[(.+)\] - \d{4}-\d\d-\d\d$/m.exec(read('CHANGELOG.md'));
  if (dated?.[1] !== version)
    throw new Error(`the first version with a date in CHANGELOG.md must be ${version}`);
  return version;
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Fills a new database, with work that waits for the worker, and dumps it. @throws Error naming tables without rows */
async function dumpFilled(file: string): Promise<void> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'opine-release-'));
  const environment = {
    ...RELEASE_SECRETS,
    LOCAL_DIR: directory,
    LOG_LEVEL: 'error',
    PORT: String(await freePort()),
  };
  try {
    const world = await onStack(environment, async ({ apiUrl, databaseUrl }) => {
      const filled = await fill(apiUrl, databaseUrl);
      await untilFolded(databaseUrl);
      return filled;
    });
    await onStack({ ...environment, PROCESS: 'api' }, async ({ databaseUrl }) => {
      await leaveWork(world);
      const empty = (await emptyTables(databaseUrl)).filter((name) => !MAY_BE_EMPTY.includes(name));
      if (empty.length > 0)
        throw new Error(`scripts/release/world.ts leaves tables empty: ${empty.join(', ')}`);
      mkdirSync(path.dirname(file), { recursive: true });
      await dumpDatabase(databaseUrl, file, []);
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function onStack<T>(
  environment: Environment,
  use: (stack: StackDescription) => Promise<T>,
): Promise<T> {
  const { description, stop } = await startStack(environment, new AbortController().signal);
  try {
    return await use(description);
  } finally {
    await stop();
  }
}

/** Waits until the worker has folded a vote that waits for a share. */
async function untilFolded(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    while ((await client.query('select from app.pending_totals')).rowCount === 0) await pause(POLL_MS);
  });
}

function emptyTables(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class as c
       where c.relkind = 'r' and not c.relispartition and c.relnamespace::regnamespace::text = any ($1)`,
      [SCHEMAS_WITH_ROWS],
    );
    const empty: string[] = [];
    for (const { name } of rows) {
      if ((await client.query(`select from ${name} limit 1`)).rowCount === 0) empty.push(name);
    }
    return empty;
  });
}
